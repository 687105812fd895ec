"""The result of a drift detection on a stack set, in the API's form."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from formwork.stack_sets.records import DetailedStatus, Instance, Result, SetOperation, SetOperationStatus


def summarize_drift(
    operation: SetOperation, results: Iterable[Result], instances: Iterable[Instance], now: float
) -> dict[str, Any]:
    """Return the counts of instances by what was found of them, and the whole's status."""
    found = list(results)
    ended = Counter(each.status for each in found)
    drifts = Counter(each.drift_status for each in instances)
    failed = ended[DetailedStatus.FAILED]
    if operation.status is SetOperationStatus.STOPPED:
        status = "STOPPED"
    elif not operation.status.ended:
        status = "IN_PROGRESS"
    elif operation.status is SetOperationStatus.FAILED:
        status = "FAILED"
    else:
        status = "PARTIAL_SUCCESS" if failed else "COMPLETED"
    drifted = "DRIFTED" if drifts["DRIFTED"] else "IN_SYNC" if drifts["IN_SYNC"] else "NOT_CHECKED"
    return {
        "DriftStatus": drifted,
        "DriftDetectionStatus": status,
        "LastDriftCheckTimestamp": now,
        "TotalStackInstancesCount": len(found),
        "DriftedStackInstancesCount": drifts["DRIFTED"],
        "InSyncStackInstancesCount": drifts["IN_SYNC"],
        "InProgressStackInstancesCount": sum(not DetailedStatus(each.status).ended for each in found),
        "FailedStackInstancesCount": failed,
    }
