"""Requests as the service sends them to `TypeFunction`, as raw JSON values.

A resource request and a hook request are different documents. Properties are in the form of the wire: booleans and
numbers are texts in them, until a handler has answered with a model of its own. Keys are always present, null where
there is nothing to say, as in the service's own; `previous…` values have a meaning for updates only.
"""

import json
from collections.abc import Mapping
from typing import Any

from formwork.aws.credentials import Credentials
from formwork.invoke.wire_form import as_wire

Json = dict[str, Any]


def resource_request(  # noqa: PLR0913 - one argument a member of the request
    *,
    action: str,
    type_name: str,
    type_version: str,
    account: str,
    region: str,
    stack_id: str,
    token: str,
    logical_id: str,
    desired: Mapping[str, Any] | None,
    previous: Mapping[str, Any] | None,
    credentials: Credentials | None,
    type_configuration: Mapping[str, Any] | None = None,
    callback_context: Mapping[str, Any] | None = None,
    next_token: str | None = None,
    tags: Mapping[str, str] | None = None,
    previous_tags: Mapping[str, str] | None = None,
    system_tags: Mapping[str, str] | None = None,
    previous_system_tags: Mapping[str, str] | None = None,
) -> Json:
    """Return the request for one invocation of a resource handler."""
    update = action == "UPDATE"
    return {
        "awsAccountId": account,
        "bearerToken": token,
        "region": region,
        "action": action,
        "resourceType": type_name,
        "resourceTypeVersion": type_version,
        "stackId": stack_id,
        "callbackContext": callback_context,
        "nextToken": next_token,
        "requestData": {
            "callerCredentials": credentials.to_wire() if credentials else None,
            "logicalResourceId": logical_id,
            "resourceProperties": as_wire(desired),
            "previousResourceProperties": as_wire(previous),
            "stackTags": tags or {},
            "previousStackTags": (previous_tags or {}) if update else previous_tags,
            "systemTags": system_tags or {},
            "previousSystemTags": (previous_system_tags or {}) if update else previous_system_tags,
            "typeConfiguration": type_configuration,
        },
    }


def hook_request(  # noqa: PLR0913 - one argument a member of the request
    *,
    invocation_point: str,
    type_name: str,
    type_version: str,
    account: str,
    stack_id: str,
    token: str,
    target_name: str,
    target_type: str,
    target_logical_id: str,
    target_model: Mapping[str, Any] | None,
    credentials: Credentials | None,
    type_configuration: Mapping[str, Any] | None = None,
    callback_context: Mapping[str, Any] | None = None,
    change_set_id: str | None = None,
    payload_url: str | None = None,
) -> Json:
    """Return the request for one invocation of a hook handler; its credentials are a JSON document in a string."""
    data: Json = {
        "callerCredentials": hook_credentials(credentials),
        "targetName": target_name,
        "targetType": target_type,
        "targetLogicalId": target_logical_id,
        "targetModel": as_wire(target_model or {}),
    }
    if payload_url is not None:  # of stack and change set targets, whose model is fetched from there
        data["payload"] = payload_url
    return {
        "awsAccountId": account,
        "clientRequestToken": token,
        "stackId": stack_id,
        "changeSetId": change_set_id,
        "hookTypeName": type_name,
        "hookTypeVersion": type_version,
        "hookModel": type_configuration,
        "actionInvocationPoint": invocation_point,
        "requestData": data,
        "requestContext": {"invocation": 1, "callbackContext": callback_context},
    }


def called_handler(request: Mapping[str, Any]) -> str | None:
    """Return the schema's name of the handler that a request calls: `create`, `preCreate`; None where it names none."""
    action, point = request.get("action"), request.get("actionInvocationPoint")
    if isinstance(point, str):
        verb, _, moment = point.partition("_")
        return f"pre{verb.capitalize()}" if moment == "PRE_PROVISION" else None
    return action.lower() if isinstance(action, str) else None


def hook_credentials(credentials: Credentials | None) -> str | None:
    """Credentials as a hook request holds them."""
    return json.dumps(credentials.to_wire()) if credentials else None


def next_resource_request(
    request: Mapping[str, Any], event: Mapping[str, Any], credentials: Credentials | None
) -> Json:
    """Return the request that follows an IN_PROGRESS event: with its model and context, and new credentials.

    An event without a model leaves the properties as they were: the handler broke the contract, which the contract
    tests see in the event, and the next call tests more with the properties than without.
    """
    data = {**request["requestData"], "callerCredentials": credentials.to_wire() if credentials else None}
    following = {**request, "callbackContext": event.get("callbackContext"), "requestData": data}
    model = event.get("resourceModel")
    return following if model is None else with_answered_model(following, model)


def with_answered_model(request: Mapping[str, Any], model: Any) -> Json:
    """Return the request with a model that the handler has answered, as it answered it."""
    return {**request, "requestData": {**request["requestData"], "resourceProperties": model}}


def next_hook_request(request: Mapping[str, Any], event: Mapping[str, Any], credentials: Credentials | None) -> Json:
    """Return the request that follows an IN_PROGRESS event of a hook."""
    context = {
        "invocation": request["requestContext"]["invocation"] + 1,
        "callbackContext": event.get("callbackContext"),
    }
    data = {**request["requestData"], "callerCredentials": hook_credentials(credentials)}
    return {**request, "requestContext": context, "requestData": data}
