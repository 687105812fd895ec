"""Stacks, their resources and events in the shapes of botocore's model."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from formwork.diagnostics.secrets import NO_ECHO_MASK
from formwork.documents.scalar_text import as_text
from formwork.preparation.prepared import parse_template
from formwork.stacks.store.drifts import FoundDrift
from formwork.stacks.store.records import (
    Deployment,
    EventDetails,
    EventRecord,
    OperationKind,
    ResourceRecord,
    StackRecord,
)
from formwork.stacks.store.shown_events import show_event_id

Input: TypeAlias = Mapping[str, Any]
Output: TypeAlias = Mapping[str, Any]

_TOLD_OPERATIONS = frozenset(OperationKind) - {
    OperationKind.IMPORT,
    OperationKind.REFACTOR,
}  # for which the API has a word


def show_template(deployment: Deployment, request: Input) -> Output:
    """Return a deployment's template as GetTemplate shows it: as it was given, or as it was processed."""
    body = deployment.original
    if request.get("TemplateStage") == "Processed" and parse_template(body).value != deployment.template:
        body = json.dumps(deployment.template)
    return {"TemplateBody": body, "StagesAvailable": ["Original", "Processed"]}


def show_time(seconds: float | None) -> datetime | None:
    """Seconds since the epoch as the wire wants them."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def show_stack(stack: StackRecord, operation: OperationKind | None) -> dict[str, Any]:
    """Return a stack as DescribeStacks shows it; `operation` is the kind of its last one."""
    settings, deployed = stack.settings, stack.deployed
    shown: dict[str, Any] = {
        "StackId": stack.arn,
        "StackName": stack.name,
        "ChangeSetId": settings.change_set_id,
        "Description": None if deployed is None else deployed.template.get("Description"),
        "Parameters": [] if deployed is None else show_parameters(deployed.template, deployed.given, deployed.stored),
        "CreationTime": show_time(stack.created),
        "LastUpdatedTime": show_time(stack.updated),
        "DeletionTime": show_time(stack.deleted or settings.removing),
        "RollbackConfiguration": settings.rollback_configuration or {},
        "StackStatus": str(stack.status),
        "StackStatusReason": stack.reason,
        "DetailedStatus": "CONFIGURATION_COMPLETE" if settings.configuration_complete else None,
        "DeploymentConfig": settings.deployment_config,
        "DisableRollback": settings.disable_rollback,
        "NotificationARNs": list(settings.notification_arns),
        "TimeoutInMinutes": settings.timeout_minutes,
        "Capabilities": [] if deployed is None else list(deployed.capabilities),
        "Outputs": [_output(name, *each) for name, each in stack.outputs.items()],
        "RoleARN": settings.role_arn,
        "Tags": [] if deployed is None else [{"Key": key, "Value": value} for key, value in deployed.tags.items()],
        "EnableTerminationProtection": settings.termination_protection,
        "ParentId": settings.parent_id,
        "RootId": settings.root_id,
        "DriftInformation": {
            "StackDriftStatus": stack.drift_status,
            "LastCheckTimestamp": show_time(stack.drift_checked),
        },
    }
    if operation in _TOLD_OPERATIONS:
        shown["LastOperations"] = [{"OperationType": str(operation), "OperationId": stack.operation_id}]
    for name in ("Parameters", "Outputs", "Capabilities"):
        if not shown[name]:
            del shown[name]
    if settings.removing is not None:
        del shown["ChangeSetId"]
    if stack.deleted is not None:
        del shown["EnableTerminationProtection"]
    return shown


def show_parameters(template: Input, given: Mapping[str, str], stored: Mapping[str, str]) -> list[dict[str, str]]:
    """Parameters as the API shows them, those with NoEcho masked."""
    declared = template.get("Parameters", {})
    shown = []
    for name, value in given.items():
        secret = as_text(declared.get(name, {}).get("NoEcho", False)) == "true"
        entry = {"ParameterKey": name, "ParameterValue": NO_ECHO_MASK if secret else value}
        if name in stored:
            entry["ResolvedValue"] = NO_ECHO_MASK if secret else stored[name]
        shown.append(entry)
    return shown


def _output(name: str, value: str | None, export: str | None, description: str | None) -> dict[str, Any]:
    return {"OutputKey": name, "OutputValue": value, "Description": description, "ExportName": export}


def show_summary(stack: StackRecord) -> dict[str, Any]:
    """Return a stack as ListStacks shows it."""
    return {
        "StackId": stack.arn,
        "StackName": stack.name,
        "TemplateDescription": None if stack.deployed is None else stack.deployed.template.get("Description"),
        "CreationTime": show_time(stack.created),
        "LastUpdatedTime": show_time(stack.updated),
        "DeletionTime": show_time(stack.deleted),
        "StackStatus": str(stack.status),
        "StackStatusReason": stack.reason,
        "ParentId": stack.settings.parent_id,
        "RootId": stack.settings.root_id,
        "DriftInformation": {
            "StackDriftStatus": stack.drift_status,
            "LastCheckTimestamp": show_time(stack.drift_checked),
        },
    }


def show_resource(
    stack: StackRecord, resource: ResourceRecord, drift: FoundDrift | None, *, time: str, stack_too: bool = False
) -> dict[str, Any]:
    """Return a resource of a stack; `time` names the member that holds when it changed."""
    shown: dict[str, Any] = {
        "LogicalResourceId": resource.logical_id,
        "PhysicalResourceId": resource.physical_id,
        "ResourceType": resource.type,
        time: show_time(resource.updated),
        "ResourceStatus": str(resource.status),
        "ResourceStatusReason": resource.reason,
        "DriftInformation": {
            "StackResourceDriftStatus": "NOT_CHECKED" if drift is None else drift.status,
            "LastCheckTimestamp": None if drift is None else show_time(drift.checked),
        },
    }
    if resource.module is not None:
        shown["ModuleInfo"] = {"TypeHierarchy": resource.module[0], "LogicalIdHierarchy": resource.module[1]}
    if stack_too or time == "LastUpdatedTimestamp":
        shown |= {"StackId": stack.arn, "StackName": stack.name}
    return shown


def show_event(stack: StackRecord, event: EventRecord) -> dict[str, Any]:
    """Return an event as DescribeStackEvents shows it."""
    details = event.details
    moment = datetime.fromtimestamp(event.time, UTC)
    return {
        "StackId": stack.arn,
        "EventId": show_event_id(stack.name, event),
        "StackName": stack.name,
        "OperationId": event.operation_id,
        "LogicalResourceId": event.logical_id,
        "PhysicalResourceId": event.physical_id or "",
        "ResourceType": event.type,
        "Timestamp": moment,
        "ResourceStatus": event.status,
        "ResourceStatusReason": event.reason,
        "ResourceProperties": details.properties,
        "ClientRequestToken": details.token,
        "DetailedStatus": show_detailed_status(details),
        "HookType": details.hook_type,
        "HookStatus": details.hook_status,
        "HookStatusReason": details.hook_reason,
        "HookInvocationPoint": details.hook_point,
        "HookInvocationId": details.hook_id,
        "HookFailureMode": details.hook_mode,
    }


def show_detailed_status(details: EventDetails) -> str | None:
    """Return the event's `DetailedStatus`; for a resource that a stand-in provisions, the stand-in's label."""
    return details.detailed or (None if details.made_by is None else details.made_by.upper())
