"""Stack sets, their instances and their operations as the API shows them."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwork.api.cloudformation.stack_shapes import show_parameters, show_time
from formwork.preparation.prepared import parse_template
from formwork.stack_sets.drift import summarize_drift
from formwork.stack_sets.records import (
    DEFAULT_ROLE,
    DetailedStatus,
    Instance,
    Result,
    SetOperation,
    SetOperationAction,
    StackSetRecord,
)

# The service shows the gate function of each account; stack sets have none here.
_NO_GATE = "Function not found: AWSCloudFormationStackSetAccountGate"


def show_stack_set(stack_set: StackSetRecord, instances: Sequence[Instance]) -> dict[str, Any]:
    """DescribeStackSet's."""
    definition = stack_set.definition
    account, partition = stack_set.scope.account, stack_set.scope.partition
    role = f"arn:{partition}:iam::{account}:role/AWSCloudFormationStackSetAdministrationRole"
    return {
        "StackSetName": stack_set.name,
        "StackSetId": stack_set.full_id,
        "StackSetARN": stack_set.arn,
        "Description": definition.description,
        "Status": _status(stack_set),
        "TemplateBody": definition.template,
        "Parameters": show_parameters(parse_template(definition.template).value, definition.parameters, {}),
        "Capabilities": list(definition.capabilities),
        "Tags": [{"Key": key, "Value": value} for key, value in definition.tags.items()],
        "AdministrationRoleARN": definition.administration_role_arn or role,
        "ExecutionRoleName": definition.execution_role_name or DEFAULT_ROLE,
        "PermissionModel": "SELF_MANAGED",
        "OrganizationalUnitIds": [],
        "ManagedExecution": {"Active": definition.managed_execution},
        "Regions": list(dict.fromkeys(each.region for each in instances)),
        "StackSetDriftDetectionDetails": _drift(stack_set.drift) or {"DriftStatus": "NOT_CHECKED"},
    }


def show_set_summary(stack_set: StackSetRecord) -> dict[str, Any]:
    """ListStackSets'."""
    drift = stack_set.drift or {}
    return {
        "StackSetName": stack_set.name,
        "StackSetId": stack_set.full_id,
        "Description": stack_set.definition.description,
        "Status": _status(stack_set),
        "PermissionModel": "SELF_MANAGED",
        "DriftStatus": drift.get("DriftStatus", "NOT_CHECKED"),
        "LastDriftCheckTimestamp": show_time(drift.get("LastDriftCheckTimestamp")),
        "ManagedExecution": {"Active": stack_set.definition.managed_execution},
    }


def show_instance(stack_set: StackSetRecord, instance: Instance, *, summary: bool = False) -> dict[str, Any]:
    """DescribeStackInstance's, or ListStackInstances'."""
    shown: dict[str, Any] = {
        "StackSetId": stack_set.full_id,
        "Region": instance.region,
        "Account": instance.account,
        "StackId": instance.stack_id,
        "Status": str(instance.status),
        "StatusReason": instance.reason,
        "StackInstanceStatus": {"DetailedStatus": str(instance.detailed)},
        "DriftStatus": instance.drift_status,
        "LastDriftCheckTimestamp": show_time(instance.drift_checked),
        "LastOperationId": instance.operation_id,
    }
    if not summary:
        template = parse_template(stack_set.definition.template).value
        shown["ParameterOverrides"] = show_parameters(template, instance.overrides, {})
    return shown


def show_operation(
    stack_set: StackSetRecord | None, operation: SetOperation, results: Sequence[Result]
) -> dict[str, Any]:
    """DescribeStackSetOperation's, or without the stack set ListStackSetOperations'."""
    failed = sum(each.status == DetailedStatus.FAILED for each in results)
    shown: dict[str, Any] = {
        "OperationId": operation.id,
        "Action": str(operation.action),
        "Status": str(operation.status),
        "StatusReason": operation.reason,
        "CreationTimestamp": show_time(operation.started),
        "EndTimestamp": show_time(operation.ended),
        "StatusDetails": {"FailedStackInstancesCount": failed},
        "OperationPreferences": _preferences(operation),
    }
    if stack_set is None:
        return shown
    of_set = show_stack_set(stack_set, ())
    shown |= {
        "StackSetId": stack_set.full_id,
        "RetainStacks": operation.retain,
        "AdministrationRoleARN": of_set["AdministrationRoleARN"],
        "ExecutionRoleName": of_set["ExecutionRoleName"],
        "DeploymentTargets": {"Accounts": list(dict.fromkeys(each.account for each in results))},
    }
    if operation.action is SetOperationAction.DETECT_DRIFT:
        found = operation.drift or summarize_drift(operation, results, (), operation.started)
        shown["StackSetDriftDetectionDetails"] = _drift(found)
    return shown


def show_result(result: Result) -> dict[str, Any]:
    """ListStackSetOperationResults'."""
    begun = result.status not in {DetailedStatus.PENDING, DetailedStatus.CANCELLED}
    return {
        "Account": result.account,
        "Region": result.region,
        "Status": str(result.status),
        "StatusReason": result.reason,
        "AccountGateResult": {"Status": "SKIPPED", "StatusReason": _NO_GATE} if begun else None,
    }


def _status(stack_set: StackSetRecord) -> str:
    return "ACTIVE" if stack_set.deleted is None else "DELETED"


def _drift(details: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if details is None:
        return None
    return {**details, "LastDriftCheckTimestamp": show_time(details["LastDriftCheckTimestamp"])}


def _preferences(operation: SetOperation) -> dict[str, Any]:
    given = operation.preferences
    shown = {
        "RegionConcurrencyType": given.region_concurrency,
        "RegionOrder": list(given.region_order),
        "FailureToleranceCount": given.tolerance_count,
        "FailureTolerancePercentage": given.tolerance_percentage,
        "MaxConcurrentCount": given.concurrent_count,
        "MaxConcurrentPercentage": given.concurrent_percentage,
        "ConcurrencyMode": given.mode,
    }
    return {name: each for name, each in shown.items() if each is not None}
