"""What holds after every deployment and update of a test, unless it is switched off.

Terraform's acceptance tests made the first of them a habit: after each step a plan must be empty.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.testing.failures import StepFinding
from formwork.testing.interfaces import CheckedStack
from formwork.testing.observed import ABSENT, PlannedChange, StackResource
from formwork.testing.operations import create_change_set, poll


class Checks(Struct, frozen=True, kw_only=True):
    """The checks of a step; each can be switched off.

    `no_changes`: a second change set with the same template and parameters is empty. `in_sync`: drift detection finds
    the stack IN_SYNC. `listed`: each resource is in the answer of its LIST handler. `exports`: an update leaves the
    values of exports as they were. `removed`: nothing is left of a stack that was deleted, or whose creation failed.
    """

    no_changes: bool = True
    in_sync: bool = True
    listed: bool = True
    exports: bool = True
    removed: bool = True


NO_CHECKS = Checks(no_changes=False, in_sync=False, listed=False, exports=False, removed=False)


def failed_checks(stack: CheckedStack, checks: Checks, resources: Mapping[str, StackResource]) -> Iterator[StepFinding]:
    """Yield what the checks after a step find in a stack of these resources."""
    if checks.no_changes:
        yield from _changes_again(stack)
    if checks.in_sync:
        yield from _drift(stack)
    if checks.listed:
        yield from _unlisted(stack, resources)


def _changes_again(stack: CheckedStack) -> Iterator[StepFinding]:
    client = stack.services.cloudformation
    second = create_change_set(client, stack.update_request())
    if not second.unchanged:
        for change in second.plan:
            if _is_undecided(change):
                continue
            title = f"a second change set with the same template is not empty: {change.action} {change.logical_id}"
            changes = [(each.path, each.before, each.after) for each in change.properties]
            yield StepFinding(title, logical_id=change.logical_id, changes=changes)
        if not second.plan:
            yield StepFinding(f"a second change set with the same template fails: {second.reason or second.status}")
    if not second.refused:
        client.delete_change_set(ChangeSetName=second.id)


def _is_undecided(change: PlannedChange) -> bool:
    """Whether CloudFormation plans a change always: of a nested stack, and of what has its outputs."""
    if change.action != "Modify":
        return False
    decided = not change.properties or any(not each.dynamic for each in change.properties)
    return change.type == "AWS::CloudFormation::Stack" or not decided


def detect_drift(stack: CheckedStack) -> dict[str, Any]:
    """Detect the drift of a stack; return the description of the detection."""
    client = stack.services.cloudformation
    detection = client.detect_stack_drift(StackName=stack.id)["StackDriftDetectionId"]

    def describe() -> dict[str, Any]:
        found: dict[str, Any] = client.describe_stack_drift_detection_status(StackDriftDetectionId=detection)
        return found

    return poll(describe, lambda found: found["DetectionStatus"] != "DETECTION_IN_PROGRESS")


def drifted_resources(stack: CheckedStack) -> dict[str, dict[str, Any]]:
    """Return the resources that the last drift detection found MODIFIED or DELETED, by logical id."""
    client = stack.services.cloudformation
    found = client.describe_stack_resource_drifts(
        StackName=stack.id, StackResourceDriftStatusFilters=["MODIFIED", "DELETED"]
    )
    return {each["LogicalResourceId"]: each for each in found["StackResourceDrifts"]}


def _drift(stack: CheckedStack) -> Iterator[StepFinding]:
    detected = detect_drift(stack)
    if detected["DetectionStatus"] != "DETECTION_COMPLETE":
        yield StepFinding(f"the drift of the stack can't be detected: {detected.get('DetectionStatusReason', '')}")
        return
    if detected.get("StackDriftStatus") != "DRIFTED":
        return
    for name, drift in drifted_resources(stack).items():
        if name in stack.disappeared:
            continue
        changes = [
            (each["PropertyPath"], _value(each.get("ExpectedValue")), _value(each.get("ActualValue")))
            for each in drift.get("PropertyDifferences", ())
        ]
        status = drift["StackResourceDriftStatus"]
        title = f"{name} drifts right after the operation: {status}; before is the template's value, after READ's"
        yield StepFinding(title, logical_id=name, changes=changes, action="READ")


def _value(text: str | None) -> Any:
    if text is None:
        return ABSENT
    try:
        return json.loads(text)
    except ValueError:
        return text


def _unlisted(stack: CheckedStack, resources: Mapping[str, StackResource]) -> Iterator[StepFinding]:
    listed: dict[str, frozenset[str] | None] = {}
    for name, resource in resources.items():
        if name in stack.disappeared or not stack.services.types.lists(resource.type):
            continue
        if stack.services.types.lists_by_model(resource.type):
            found = stack.services.types.listed(resource.type, resource.properties)
        else:
            if resource.type not in listed:
                listed[resource.type] = stack.services.types.listed(resource.type)
            found = listed[resource.type]
        if found is not None and not _names(found, resource.physical_id):
            title = f"{name} is not in the answer of its LIST handler"
            shown = ", ".join(sorted(found)[:5]) or "nothing"
            yield StepFinding(
                title, logical_id=name, notes=[f"{resource.physical_id} is missing; LIST answers {shown}"]
            )


def _names(identifiers: frozenset[str], physical_id: str) -> bool:
    """Whether one of the identifiers is the physical id, which for some of AWS's types is a part of theirs."""
    return any(physical_id == each or physical_id in each.split("|") for each in identifiers)
