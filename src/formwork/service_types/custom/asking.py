"""Requests to the function of a custom resource, and the URL of its answer.

Source: CloudFormation user guide, "Custom resource request objects".
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.documents.scalar_text import as_text
from formwork.provisioning import HandlerCall

PREFIX = "/cloudformation-custom-resource-response-"
IDENTIFIER = "PhysicalResourceId"
_REQUESTS = {"CREATE": "Create", "UPDATE": "Update", "DELETE": "Delete"}
_STEPS = 5


class Expected(Struct, frozen=True):
    """An expected response: its request, and the signature that proves that the sender was given the URL."""

    stack_id: str
    request_id: str
    signature: str


def render_response_url(base: str, scope: Scope, call: HandlerCall, signature: str) -> str:
    """Return the URL at which the function puts its response to a call."""
    place = quote(f"{call.stack_id}|{call.logical_id}|{call.token}", safe="/")
    query = urlencode({"AWSAccessKeyId": scope.account, "Signature": signature})
    return f"{base}{PREFIX}{scope.region}/{place}?{query}"


def parse_response_url(place: str) -> Expected | None:
    """Return the expected response that a path with its query names, None if it names none."""
    parts = urlsplit(place)
    steps = unquote(parts.path).split("/")  # "", bucket, arn:…:stack, name, id|logical id|request id
    names = steps[-1].split("|")
    query: Mapping[str, str] = dict(parse_qsl(parts.query))
    if not parts.path.startswith(PREFIX) or len(steps) != _STEPS or len(names) != 3:
        return None
    return Expected(names[0], names[2], query.get("Signature", ""))


def request_event(
    call: HandlerCall, type_name: str, response_url: str, properties: Mapping[str, Any], previous: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the event for the function; scalars in properties become strings, as the service sends them."""
    event = {
        "RequestType": _REQUESTS[call.action],
        "ServiceToken": properties.get("ServiceToken"),
        "ResponseURL": response_url,
        "StackId": call.stack_id,
        "RequestId": call.token,
        "LogicalResourceId": call.logical_id,
        "ResourceType": type_name,
        "ResourceProperties": _texts(properties),
    }
    if call.action != "CREATE":
        event[IDENTIFIER] = (call.desired or {}).get(IDENTIFIER)
    if call.action == "UPDATE":
        event["OldResourceProperties"] = _texts(previous)
    return event


def _texts(value: Any) -> Any:
    match value:
        case dict() | Mapping():
            return {name: _texts(each) for name, each in value.items() if name != IDENTIFIER}
        case list():
            return [_texts(each) for each in value]
        case _:
            return as_text(value)
