"""Resources and requests between botocore's shapes and the engine's own values.

MaxResults limits the pages of a list handler, although the service ignores it: clients that send it expect no more than
they asked for. The token of a shortened page holds the handler's own token and how much of its page was returned.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stack_requests import read_token
from formwork.api.cloudformation.stack_shapes import show_time
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.cloud_control import CloudControl, RequestQuery, TypeChoice
from formwork.hooks.results import HookResult
from formwork.stacks.store.request_stages import RequestEnded
from formwork.stacks.store.requests import RequestRecord

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_PAGE = 20
_LONGEST_MESSAGE = 2048


def cloud_control_operations(control: CloudControl) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""
    operations = _Operations(control)
    named: dict[str, Callable[[Scope, Input], Output]] = {
        "CreateResource": operations.create,
        "UpdateResource": operations.update,
        "DeleteResource": operations.delete,
        "GetResource": operations.get,
        "ListResources": operations.list_resources,
        "GetResourceRequestStatus": operations.describe,
        "CancelResourceRequest": operations.cancel,
        "ListResourceRequests": operations.list_requests,
    }
    return {("cloudcontrol", name): answer_stacks(operation) for name, operation in named.items()}


class _Operations:
    def __init__(self, control: CloudControl) -> None:
        self._control = control

    def create(self, scope: Scope, request: Input) -> Output:
        begun = self._control.create(scope, _chosen(request), request["DesiredState"], request.get("ClientToken"))
        return {"ProgressEvent": _progress(begun)}

    def update(self, scope: Scope, request: Input) -> Output:
        identifier, patch, token = request["Identifier"], request["PatchDocument"], request.get("ClientToken")
        return {"ProgressEvent": _progress(self._control.update(scope, _chosen(request), identifier, patch, token))}

    def delete(self, scope: Scope, request: Input) -> Output:
        begun = self._control.delete(scope, _chosen(request), request["Identifier"], request.get("ClientToken"))
        return {"ProgressEvent": _progress(begun)}

    def get(self, scope: Scope, request: Input) -> Output:
        identifier, model = self._control.get(scope, _chosen(request), request["Identifier"])
        return {"TypeName": request["TypeName"], "ResourceDescription": _description(identifier, model)}

    def list_resources(self, scope: Scope, request: Input) -> Output:
        model, token = request.get("ResourceModel"), request.get("NextToken")
        found, more = self._control.list(scope, _chosen(request), model, token, most=request.get("MaxResults"))
        shown = [_description(*each) for each in found]
        return {"TypeName": request["TypeName"], "ResourceDescriptions": shown, "NextToken": more}

    def describe(self, scope: Scope, request: Input) -> Output:
        found = self._control.describe(scope, request["RequestToken"])
        hooks = [_hook(each) for each in self._control.hook_answers(found)]
        return {"ProgressEvent": _progress(found), "HooksProgressEvent": hooks}

    def cancel(self, scope: Scope, request: Input) -> Output:
        return {"ProgressEvent": _progress(self._control.cancel(scope, request["RequestToken"]))}

    def list_requests(self, scope: Scope, request: Input) -> Output:
        filters = request.get("ResourceRequestStatusFilter") or {}
        found, more = self._control.list_requests(
            scope,
            RequestQuery(
                operations=filters.get("Operations", ()),
                statuses=filters.get("OperationStatuses", ()),
                start=read_token(request) or 0,
                size=int(request.get("MaxResults") or _PAGE),
            ),
        )
        return {
            "ResourceRequestStatusSummaries": [_progress(each) for each in found],
            "NextToken": None if more is None else str(more),
        }


def _chosen(request: Input) -> TypeChoice:
    return TypeChoice(name=request["TypeName"], version=request.get("TypeVersionId"), role_arn=request.get("RoleArn"))


def _description(identifier: str, model: Mapping[str, Any]) -> dict[str, Any]:
    return {"Identifier": identifier, "Properties": json.dumps(model, separators=(",", ":"))}


def _progress(request: RequestRecord) -> dict[str, Any]:
    model = request.stage.model if isinstance(request.stage, RequestEnded) else None
    return {
        "TypeName": request.type,
        "Identifier": request.identifier,
        "RequestToken": request.token,
        "HooksRequestToken": request.hooks_token,
        "Operation": request.operation,
        "OperationStatus": request.status,
        "EventTime": show_time(request.began),
        "ResourceModel": None if model is None else json.dumps(model, separators=(",", ":")),
        "StatusMessage": None if request.message is None else request.message[:_LONGEST_MESSAGE],
        "ErrorCode": request.error_code,
        "RetryAfter": show_time(request.due) if request.due > request.updated else None,
    }


def _hook(result: HookResult) -> dict[str, Any]:
    return {
        "HookTypeName": result.type_name,
        "HookTypeVersionId": result.version,
        "HookTypeArn": result.type_arn,
        "InvocationPoint": "PRE_PROVISION",
        "HookStatus": result.status,
        "HookEventTime": show_time(result.invoked),
        "HookStatusMessage": result.reason,
        "FailureMode": result.mode,
    }
