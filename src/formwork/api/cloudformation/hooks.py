"""The operations on hooks' results between botocore's shapes and the engine's own values."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.caller import Caller
from formwork.api.cloudformation.stack_requests import take_page
from formwork.api.cloudformation.stack_shapes import show_time
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.engine.hook_lookups import HookResultQuery, HookResults, PlannedHook
from formwork.hooks.results import HookResult

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_POINT = "PRE_PROVISION"
_PAGE = 100
_ANNOTATION = ("annotationName", "status", "statusMessage", "remediationMessage", "remediationLink", "severityLevel")


def hook_operations(results: HookResults) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""

    def list_results(scope: Scope, request: Input) -> Output:
        query = HookResultQuery(
            target_kind=request.get("TargetType"),
            target_id=request.get("TargetId"),
            type_arn=request.get("TypeArn"),
            status=request.get("Status"),
            token=request.get("NextToken"),
        )
        found, token = results.list(scope, query)
        about_one = query.target_id is not None
        return {
            "TargetType": query.target_kind,
            "TargetId": query.target_id,
            "HookResults": [_summary(each, about_one=about_one) for each in found],
            "NextToken": token,
        }

    def get_result(scope: Scope, request: Input) -> Output:
        return _detail(results.get(scope, request.get("HookResultId")))

    def describe_change_set_hooks(scope: Scope, request: Input) -> Output:
        found, planned = results.planned(scope, request["ChangeSetName"], request.get("StackName"))
        only = request.get("LogicalResourceId")
        wanted = [each for each in planned if only in {None, each.change["logical_id"]}]
        page, token = take_page(wanted, request, size=_PAGE)
        moving = found.record.status.endswith("_IN_PROGRESS")
        return {
            "ChangeSetId": found.arn,
            "ChangeSetName": found.record.name,
            "StackId": found.stack.arn,
            "StackName": found.stack.name,
            "Hooks": [_planned(each) for each in page],
            "Status": "PLANNING"
            if moving
            else "PLANNED"
            if found.record.status == "CREATE_COMPLETE"
            else "UNAVAILABLE",
            "NextToken": token,
        }

    named: dict[str, Callable[[Scope, Input], Output]] = {
        "ListHookResults": list_results,
        "GetHookResult": get_result,
        "DescribeChangeSetHooks": describe_change_set_hooks,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def with_hook_counts(describe_change_set: Handler, results: HookResults) -> Handler:
    """DescribeChangeSet, saying of each change how many hooks it will call."""

    def describe(caller: Caller, request: Input) -> Output:
        shown = describe_change_set(caller, request)
        scope = Scope(caller.account, caller.region)
        _, planned = results.planned(scope, shown["ChangeSetId"], None)
        counts = Counter(each.change["logical_id"] for each in planned)
        changes = shown.get("Changes", ()) if counts else ()
        for each in changes:
            each["HookInvocationCount"] = counts.get(each["ResourceChange"]["LogicalResourceId"])
        return shown

    return describe


def _common(result: HookResult) -> dict[str, Any]:
    return {
        "HookResultId": result.id,
        "InvocationPoint": _POINT,
        "FailureMode": result.mode,
        "TypeName": result.type_name,
        "TypeVersionId": result.version,
        "TypeConfigurationVersionId": result.configuration_version,
        "TypeArn": result.type_arn,
        "Status": result.status,
        "HookStatusReason": result.reason,
    }


def _summary(result: HookResult, *, about_one: bool) -> dict[str, Any]:
    """Return one result of the list; `about_one` leaves out the target, which the request named."""
    if about_one:
        return _common(result)
    target = result.target
    return {
        **_common(result),
        "InvokedAt": show_time(result.invoked),
        "TargetType": str(target.kind),
        "TargetId": target.listed_as,
        "HookExecutionTarget": target.execution,
    }


def _detail(result: HookResult) -> dict[str, Any]:
    target = result.target
    return {
        **_common(result),
        "OriginalTypeName": result.about.get("originalTypeName", result.type_name),
        "InvokedAt": show_time(result.invoked),
        "Target": {
            "TargetType": "RESOURCE" if target.kind.holds_resources else str(target.kind),
            "TargetTypeName": target.name,
            "TargetId": target.identifier,
            "Action": target.shown_action,
        },
        "Annotations": [
            {name[0].upper() + name[1:]: each[name] for name in _ANNOTATION if each.get(name)}
            for each in result.annotations
        ],
    }


def _planned(planned: PlannedHook) -> dict[str, Any]:
    hook, change = planned.hook, planned.change
    return {
        "InvocationPoint": _POINT,
        "FailureMode": str(hook.mode),
        "TypeName": hook.type_name,
        "TypeVersionId": hook.version,
        "TypeConfigurationVersionId": hook.configuration_version,
        "TargetDetails": {
            "TargetType": "RESOURCE",
            "ResourceTargetDetails": {
                "LogicalResourceId": change["logical_id"],
                "ResourceType": change["type"],
                "ResourceAction": change["action"],
            },
        },
    }
