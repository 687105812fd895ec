"""The operations on change sets between botocore's shapes and the engine's own values."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stack_requests import StackRequests, expect_stack_name, take_page
from formwork.api.cloudformation.stack_shapes import show_parameters, show_template, show_time
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.engine.change_sets import ChangeSets, FoundChangeSet, NewChangeSet
from formwork.engine.deployment_config import keeps_on_failure
from formwork.engine.planning.imports import ResourceToImport
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import ChangeSetRequest, OperationOptions

Input = Mapping[str, Any]
Output = Mapping[str, Any]


def change_set_operations(change_sets: ChangeSets, requests: StackRequests) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""
    operations = _Operations(change_sets, requests)
    named: dict[str, Callable[[Scope, Input], Output]] = {
        "CreateChangeSet": operations.create,
        "DescribeChangeSet": operations.describe,
        "ExecuteChangeSet": operations.execute,
        "DeleteChangeSet": operations.delete,
        "ListChangeSets": operations.list,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def with_change_sets(get_template: Handler, change_sets: ChangeSets) -> Handler:
    """GetTemplate of stacks, and of change sets where the request names one."""

    def of_change_set(scope: Scope, request: Input) -> Output:
        name, stack_name = request["ChangeSetName"], request.get("StackName")
        if stack_name is None and not name.startswith("arn:"):
            raise StackError("StackName is a required parameter.")
        record = change_sets.expect(scope, name, stack_name).record
        target = record.target
        if target is None:
            raise StackError(f"ChangeSet [{name}] has no template: {record.reason}")
        return show_template(target, request)

    asked = answer_stacks(of_change_set)
    return lambda caller, request: (asked if request.get("ChangeSetName") else get_template)(caller, request)


class _Operations:
    def __init__(self, change_sets: ChangeSets, requests: StackRequests) -> None:
        self._change_sets = change_sets
        self._requests = requests

    def create(self, scope: Scope, request: Input) -> Output:
        previous = bool(request.get("UsePreviousTemplate"))
        if request.get("ChangeSetType") in {"CREATE", "IMPORT"} and not request["StackName"].startswith("arn:"):
            expect_stack_name(request["StackName"])
        found = self._change_sets.create(
            scope,
            NewChangeSet(
                name=request["ChangeSetName"],
                kind=request.get("ChangeSetType") or "UPDATE",
                stack=self._requests.read(scope, request, template_needed=not previous),
                request=ChangeSetRequest(
                    description=request.get("Description"),
                    capabilities=list(request.get("Capabilities", ())),
                    notification_arns=list(request.get("NotificationARNs", ())),
                    role_arn=request.get("RoleARN"),
                    on_failure=request.get("OnStackFailure"),
                    import_existing=bool(request.get("ImportExistingResources")),
                    rollback_configuration=request.get("RollbackConfiguration"),
                    include_nested=bool(request.get("IncludeNestedStacks")),
                    token=request.get("ClientToken"),
                    disable_validation=bool(request.get("DisableValidation")),
                    deployment_config=request.get("DeploymentConfig"),
                    deployment_mode=request.get("DeploymentMode"),
                ),
                imports=tuple(_to_import(each) for each in request.get("ResourcesToImport", ())),
            ),
        )
        return {"Id": found.arn, "StackId": found.stack.arn}

    def describe(self, scope: Scope, request: Input) -> Output:
        found = self._change_sets.expect(scope, request["ChangeSetName"], request.get("StackName"))
        target = found.record.target
        changes, token = take_page(found.changes(values=bool(request.get("IncludePropertyValues"))), request)
        shown: dict[str, Any] = {
            **_summary(found),
            "NotificationARNs": found.record.request.notification_arns,
            "RollbackConfiguration": found.record.request.rollback_configuration or {},
            "OnStackFailure": found.record.request.on_failure,
            "DeploymentConfig": found.record.request.deployment_config,
            "DeploymentMode": found.record.request.deployment_mode,
            "StackDriftStatus": found.record.request.drift_status,
            "ImportExistingResources": found.record.request.import_existing or None,
            "Capabilities": found.record.request.capabilities,
            "Changes": [_change(each, found.record.request.children) for each in changes],
            "NextToken": token,
        }
        if request.get("IncludePropertyValues"):
            shown["StatusReason"] = shown["StatusReason"] or found.warning
        if target is not None:
            shown["Parameters"] = show_parameters(target.template, target.given, target.stored) or None
            shown["Tags"] = [{"Key": key, "Value": value} for key, value in target.tags.items()] or None
        return shown

    def execute(self, scope: Scope, request: Input) -> Output:
        name, stack_name = request["ChangeSetName"], request.get("StackName")
        config = self._change_sets.expect(scope, name, stack_name).record.request.deployment_config
        options = OperationOptions(
            keep_on_failure=keeps_on_failure(config, request.get("DisableRollback")),
            retain_except_on_create=bool(request.get("RetainExceptOnCreate")),
        )
        self._change_sets.execute(
            scope,
            name,
            stack_name,
            token=request.get("ClientRequestToken"),
            options=options,
        )
        return {}

    def delete(self, scope: Scope, request: Input) -> Output:
        self._change_sets.delete(scope, request["ChangeSetName"], request.get("StackName"))
        return {}

    def list(self, scope: Scope, request: Input) -> Output:
        page, token = take_page(self._change_sets.list(scope, request["StackName"]), request)
        return {"Summaries": [_summary(each) for each in page], "NextToken": token}


def _to_import(asked: Input) -> ResourceToImport:
    return ResourceToImport(asked["ResourceType"], asked["LogicalResourceId"], dict(asked["ResourceIdentifier"]))


def _summary(found: FoundChangeSet) -> dict[str, Any]:
    record = found.record
    return {
        "ChangeSetName": record.name,
        "ChangeSetId": found.arn,
        "StackId": found.stack.arn,
        "StackName": found.stack.name,
        "Description": record.request.description,
        "CreationTime": show_time(record.created),
        "ExecutionStatus": record.execution_status,
        "Status": record.status,
        "StatusReason": record.reason,
        "IncludeNestedStacks": record.request.include_nested,
        "ParentChangeSetId": record.request.parent,
        "RootChangeSetId": record.request.root,
    }


def _change(change: Mapping[str, Any], children: Mapping[str, str]) -> dict[str, Any]:
    module = change["module"]
    shown = {
        "Action": change["action"],
        "LogicalResourceId": change["logical_id"],
        "PhysicalResourceId": change["physical_id"],
        "ResourceType": change["type"],
        "Replacement": change["replacement"],
        "ChangeSetId": children.get(change["logical_id"]),
        "PolicyAction": change["policy_action"],
        "Scope": list(change["scope"]),
        "Details": [_detail(each) for each in change["details"]],
        "ModuleInfo": module
        and {"TypeHierarchy": module["type_hierarchy"], "LogicalIdHierarchy": module["logical_id_hierarchy"]},
        "BeforeContext": _context(change["before_context"]),
        "AfterContext": _context(change["after_context"]),
        **_live_state(change),
    }
    return {"Type": "Resource", "ResourceChange": shown}


def _context(context: Any) -> str | None:
    return None if context is None else json.dumps(context, separators=(",", ":"))


def _detail(detail: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "Target": {
            **_drift(detail),
            "Attribute": detail["scope"],
            "Name": detail["name"],
            "RequiresRecreation": detail["recreation"],
            "Path": detail["path"],
            "BeforeValue": detail["before"],
            "AfterValue": detail["after"],
            "AttributeChangeType": detail["change_type"],
        },
        "Evaluation": detail["evaluation"],
        "ChangeSource": detail["source"],
        "CausingEntity": detail["causing_entity"],
    }


def _live_state(change: Mapping[str, Any]) -> dict[str, Any]:
    """Return a resource's drift members of a drift-aware change set; {} for one that an earlier version stored."""
    if change.get("drift_status") is None:
        return {}
    return {
        "ResourceDriftStatus": change["drift_status"],
        "ResourceDriftIgnoredAttributes": [
            {"Path": each["path"], "Reason": each["reason"]} for each in change["ignored"]
        ],
        "PreviousDeploymentContext": _context(change["previous_context"]),
    }


def _drift(detail: Mapping[str, Any]) -> dict[str, Any]:
    if detail.get("before_from") is None:
        return {}
    drift = detail["drift"]
    return {
        "BeforeValueFrom": detail["before_from"],
        "AfterValueFrom": "TEMPLATE",
        "Drift": drift
        and {
            "PreviousValue": drift["previous"],
            "ActualValue": drift["actual"],
            "DriftDetectionTimestamp": show_time(drift["checked"]),
        },
    }
