"""DescribeEvents between botocore's shapes and the engine's own values."""

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from formwork.api.cloudformation.stack_requests import read_token
from formwork.api.cloudformation.stack_shapes import show_detailed_status, show_time
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.engine.change_sets import FoundChangeSet
from formwork.engine.operation_events import EventType, OperationEvent, OperationEvents
from formwork.hooks.asking import HookAnswer, read_answers
from formwork.stacks.store.shown_events import show_event_id

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_FAILURES = frozenset({str(EventType.VALIDATION), str(EventType.HOOK)})
_OUTCOMES = {"FAILED": "FAILED", "CREATE_COMPLETE": "SUCCEEDED"}


def event_operations(events: OperationEvents) -> dict[tuple[str, str], Handler]:
    """Return the function that answers DescribeEvents, for the table of `api/dispatch.py`."""

    def describe(scope: Scope, request: Input) -> Output:
        failed = bool(request.get("Filters", {}).get("FailedEvents"))
        stack_name = request.get("StackName")
        if name := request.get("ChangeSetName"):
            shown = _of_change_set(events.change_set(scope, name, stack_name))
            return {"OperationEvents": [each for each in shown if not failed or each["EventType"] in _FAILURES]}
        found, more = events.find(
            scope, stack_name, request.get("OperationId"), failed=failed, before=read_token(request)
        )
        return {
            "OperationEvents": [_event(each) for each in found],
            "NextToken": None if more is None else str(more),
        }

    return {("cloudformation", "DescribeEvents"): answer_stacks(describe)}


def _event(found: OperationEvent) -> dict[str, Any]:
    event, details = found.event, found.event.details
    moment = datetime.fromtimestamp(event.time, UTC)
    own = found.type is EventType.STACK
    ended = found.operation is not None and found.operation.ended
    return {
        "EventId": show_event_id(found.stack.name, event),
        "StackId": found.stack.arn,
        "OperationId": event.operation_id,
        "OperationType": found.kind,
        "OperationStatus": found.outcome,
        "EventType": str(found.type),
        "LogicalResourceId": event.logical_id,
        "PhysicalResourceId": event.physical_id,
        "ResourceType": event.type,
        "Timestamp": moment,
        "StartTime": show_time(found.operation.started) if own and found.operation is not None else None,
        "EndTime": show_time(ended) if own and ended and found.outcome != "IN_PROGRESS" else None,
        "ResourceStatus": event.status or None,
        "ResourceStatusReason": event.reason if event.details.validation is None else None,
        "ResourceProperties": details.properties,
        "ClientRequestToken": details.token,
        **_validation(details.validation, event.reason),
        "HookType": details.hook_type,
        "HookStatus": details.hook_status,
        "HookStatusReason": details.hook_reason,
        "HookInvocationPoint": details.hook_point,
        "HookFailureMode": details.hook_mode,
        "DetailedStatus": show_detailed_status(details),
    }


def _validation(found: Mapping[str, Any] | None, reason: str | None) -> dict[str, Any]:
    if found is None:
        return {}
    return {
        "ValidationFailureMode": "FAIL",
        "ValidationName": found["name"],
        "ValidationStatus": "FAILED",
        "ValidationStatusReason": reason,
        "ValidationPath": found["path"],
    }


def _of_change_set(found: FoundChangeSet) -> list[dict[str, Any]]:
    """Return the events of a change set's creation, with its validation errors; the newest first."""
    record = found.record
    outcome = _OUTCOMES.get(record.status, "IN_PROGRESS")
    common = {
        "StackId": found.stack.arn,
        "OperationId": record.id,
        "OperationType": "CREATE_CHANGESET",
        "Timestamp": show_time(record.created),
    }
    made = {
        **common,
        "EventId": f"{record.id}-{record.status}",
        "OperationStatus": outcome,
        "EventType": str(EventType.STACK),
        "StartTime": show_time(record.created),
        "LogicalResourceId": found.stack.name,
        "PhysicalResourceId": found.stack.arn,
        "ResourceStatusReason": record.reason,
    }
    hooks = [_of_hook(common, each) for each in read_answers(record.request.hooks).values() if each.failed]
    return [made, *hooks, *(_of_problem(common, each) for each in record.request.problems)]


def _of_problem(common: Mapping[str, Any], problem: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **common,
        "EventId": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{common['OperationId']}{json.dumps(problem)}")),
        "EventType": str(EventType.VALIDATION),
        "LogicalResourceId": problem["logical_id"],
        "PhysicalResourceId": "",
        "ResourceType": problem["type"],
        **_validation(problem, problem["reason"]),
    }


def _of_hook(common: Mapping[str, Any], answer: HookAnswer) -> dict[str, Any]:
    """Return a hook that refused the change set, or failed over it."""
    return {
        **common,
        "EventId": answer.id,
        "EventType": str(EventType.HOOK),
        "Timestamp": show_time(answer.began),
        "HookType": answer.type_name,
        "HookStatus": answer.status,
        "HookStatusReason": answer.reason,
        "HookInvocationPoint": "PRE_PROVISION",
        "HookFailureMode": answer.mode,
    }
