"""Rows of drift: the result for each resource, and the detections."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, select

from formwork.stacks.store.tables import drift_detections, resources


class DetectionRecord(Struct, frozen=True, kw_only=True):
    """A detection of a stack's drift; `names` are the requested logical ids, None for all."""

    id: str
    stack_id: str
    status: str
    reason: str | None
    drift_status: str
    drifted: int
    names: tuple[str, ...] | None
    started: float


class FoundDrift(Struct, frozen=True):
    """The drift of a resource, and when it was detected; `details` is None where it was not compared."""

    status: str
    checked: float | None
    details: Mapping[str, Any] | None


def write_detection(connection: Connection, detection: DetectionRecord) -> None:
    """Add the detection, or replace it."""
    values = {
        "status": detection.status,
        "reason": detection.reason,
        "drift_status": detection.drift_status,
        "drifted": detection.drifted,
    }
    where = drift_detections.c.id == detection.id
    if connection.execute(drift_detections.update().where(where).values(**values)).rowcount == 0:
        connection.execute(
            drift_detections.insert().values(
                id=detection.id,
                stack_id=detection.stack_id,
                names_json=None if detection.names is None else json.dumps(detection.names),
                started=detection.started,
                **values,
            )
        )


def get_detection(connection: Connection, identifier: str) -> DetectionRecord | None:
    """Return the detection, None where there is none."""
    row = connection.execute(select(drift_detections).where(drift_detections.c.id == identifier)).one_or_none()
    return None if row is None else _detection(row)


def write_drift(connection: Connection, stack_id: str, logical_id: str, drift: FoundDrift) -> None:
    """Store the drift of a resource."""
    where = (resources.c.stack_id == stack_id) & (resources.c.logical_id == logical_id)
    details = None if drift.details is None else json.dumps(drift.details)
    connection.execute(
        resources.update()
        .where(where)
        .values(drift_status=drift.status, drift_checked=drift.checked, drift_json=details)
    )


def list_drifts(connection: Connection, stack_id: str) -> dict[str, FoundDrift]:
    """Return the latest drift of a stack's resources, by logical id."""
    query = (
        select(resources.c.logical_id, resources.c.drift_status, resources.c.drift_checked, resources.c.drift_json)
        .where(resources.c.stack_id == stack_id)
        .order_by(resources.c.logical_id)
    )
    return {
        row.logical_id: FoundDrift(
            row.drift_status, row.drift_checked, None if row.drift_json is None else json.loads(row.drift_json)
        )
        for row in connection.execute(query)
    }


def _detection(row: Row[Any]) -> DetectionRecord:
    return DetectionRecord(
        id=row.id,
        stack_id=row.stack_id,
        status=row.status,
        reason=row.reason,
        drift_status=row.drift_status,
        drifted=row.drifted,
        names=None if row.names_json is None else tuple(json.loads(row.names_json)),
        started=row.started,
    )
