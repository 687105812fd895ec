"""Resources and requests between botocore's shapes and the engine's own values."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stacks import answer_stacks, show_time
from formwork.api.dispatch import Handler
from formwork.engine.cloud_control import CloudControl
from formwork.engine.store.requests import RequestRecord
from formwork.registry.scope import Scope

Input = Mapping[str, Any]
Output = Mapping[str, Any]

_PAGE = 20


def cloud_control_operations(control: CloudControl) -> dict[tuple[str, str], Handler]:
    """What answers them, for the table of `api/dispatch.py`."""

    def create(scope: Scope, request: Input) -> Output:
        return _event(control.create(scope, request["TypeName"], request["DesiredState"], request.get("ClientToken")))

    def update(scope: Scope, request: Input) -> Output:
        patch = request["PatchDocument"]
        return _event(
            control.update(scope, request["TypeName"], request["Identifier"], patch, request.get("ClientToken"))
        )

    def delete(scope: Scope, request: Input) -> Output:
        return _event(control.delete(scope, request["TypeName"], request["Identifier"], request.get("ClientToken")))

    def get(scope: Scope, request: Input) -> Output:
        identifier, model = control.get(scope, request["TypeName"], request["Identifier"])
        return {"TypeName": request["TypeName"], "ResourceDescription": _description(identifier, model)}

    def list_resources(scope: Scope, request: Input) -> Output:
        found, token = control.list(scope, request["TypeName"], request.get("ResourceModel"), request.get("NextToken"))
        shown = [_description(*each) for each in found]
        return {"TypeName": request["TypeName"], "ResourceDescriptions": shown, "NextToken": token}

    def describe(_scope: Scope, request: Input) -> Output:
        return _event(control.describe(request["RequestToken"]))

    def cancel(_scope: Scope, request: Input) -> Output:
        return _event(control.cancel(request["RequestToken"]))

    def list_requests(scope: Scope, request: Input) -> Output:
        filters = request.get("ResourceRequestStatusFilter") or {}
        operations, statuses = filters.get("Operations"), filters.get("OperationStatuses")
        found = [
            each
            for each in control.list_requests(scope)
            if (not operations or each.operation in operations) and (not statuses or each.status in statuses)
        ]
        start, size = int(request.get("NextToken") or 0), int(request.get("MaxResults") or _PAGE)
        end = start + size
        shown = [_progress(each) for each in found[start:end]]
        return {"ResourceRequestStatusSummaries": shown, "NextToken": str(end) if end < len(found) else None}

    named: dict[str, Callable[[Scope, Input], Output]] = {
        "CreateResource": create,
        "UpdateResource": update,
        "DeleteResource": delete,
        "GetResource": get,
        "ListResources": list_resources,
        "GetResourceRequestStatus": describe,
        "CancelResourceRequest": cancel,
        "ListResourceRequests": list_requests,
    }
    return {("cloudcontrol", name): answer_stacks(operation) for name, operation in named.items()}


def _description(identifier: str, model: Mapping[str, Any]) -> dict[str, Any]:
    return {"Identifier": identifier, "Properties": json.dumps(model, separators=(",", ":"))}


def _event(request: RequestRecord) -> dict[str, Any]:
    return {"ProgressEvent": _progress(request)}


def _progress(request: RequestRecord) -> dict[str, Any]:
    model = request.progress.get("model") if request.status == "SUCCESS" else None
    return {
        "TypeName": request.type,
        "Identifier": request.identifier,
        "RequestToken": request.token,
        "Operation": request.operation,
        "OperationStatus": request.status,
        "EventTime": show_time(request.updated),
        "ResourceModel": None if model is None else json.dumps(model, separators=(",", ":")),
        "StatusMessage": request.message,
        "ErrorCode": request.error_code,
    }
