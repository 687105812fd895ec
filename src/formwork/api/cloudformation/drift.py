"""The operations on drift between botocore's shapes and the engine's own values."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stack_requests import take_page
from formwork.api.cloudformation.stack_shapes import show_time
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.engine.drift.detection import DriftDetection
from formwork.stacks.store.drifts import FoundDrift
from formwork.stacks.store.records import ResourceRecord, StackRecord

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_PAGE = 100


def drift_operations(detection: DriftDetection) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""

    def detect(scope: Scope, request: Input) -> Output:
        names = request.get("LogicalResourceIds")
        return {"StackDriftDetectionId": detection.detect_stack(scope, request["StackName"], names)}

    def describe(_scope: Scope, request: Input) -> Output:
        found, stack = detection.describe(request["StackDriftDetectionId"])
        done = found.status != "DETECTION_IN_PROGRESS"
        return {
            "StackId": stack.arn,
            "StackDriftDetectionId": found.id,
            "StackDriftStatus": found.drift_status if done else None,
            "DetectionStatus": found.status,
            "DetectionStatusReason": found.reason,
            "DriftedStackResourceCount": found.drifted if done else None,
            "Timestamp": show_time(found.started),
        }

    def detect_resource(scope: Scope, request: Input) -> Output:
        stack, resource, found = detection.detect_resource(scope, request["StackName"], request["LogicalResourceId"])
        return {"StackResourceDrift": _drift(stack, resource, found)}

    def list_resources(scope: Scope, request: Input) -> Output:
        stack, resources, drifts = detection.list_drifts(scope, request["StackName"])
        wanted = set(request.get("StackResourceDriftStatusFilters", ()))
        shown = [
            _drift(stack, resources[name], found)
            for name, found in drifts.items()
            if found.checked is not None and (not wanted or found.status in wanted)
        ]
        page, token = take_page(shown, request, size=int(request.get("MaxResults") or _PAGE))
        return {"StackResourceDrifts": page, "NextToken": token}

    named: dict[str, Callable[[Scope, Input], Output]] = {
        "DetectStackDrift": detect,
        "DescribeStackDriftDetectionStatus": describe,
        "DetectStackResourceDrift": detect_resource,
        "DescribeStackResourceDrifts": list_resources,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def _drift(stack: StackRecord, resource: ResourceRecord, found: FoundDrift) -> dict[str, Any]:
    details = found.details or {}
    module = resource.module
    return {
        "StackId": stack.arn,
        "LogicalResourceId": resource.logical_id,
        "PhysicalResourceId": resource.physical_id,
        "ResourceType": resource.type,
        "ExpectedProperties": _text(details.get("expected")),
        "ActualProperties": _text(details.get("actual")),
        "PropertyDifferences": show_differences(found),
        "StackResourceDriftStatus": found.status,
        "Timestamp": show_time(found.checked),
        "ModuleInfo": module and {"TypeHierarchy": module[0], "LogicalIdHierarchy": module[1]},
        "DriftStatusReason": details.get("reason"),
    }


def show_differences(found: FoundDrift) -> list[dict[str, Any]]:
    """Return how a resource differs from its declaration in the template."""
    return [
        {
            "PropertyPath": each["path"],
            "ExpectedValue": each["expected"],
            "ActualValue": each["actual"],
            "DifferenceType": each["kind"],
        }
        for each in (found.details or {}).get("differences", ())
    ]


def _text(properties: Any) -> str | None:
    return None if properties is None else json.dumps(properties, separators=(",", ":"))
