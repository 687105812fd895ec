"""The item in a request: what the client says of it, without what only the service gives."""

from collections.abc import Mapping
from typing import Any

from formwork.egress.stubs.envelopes import node_at, request_envelope, value_at
from formwork.egress.stubs.operations import ApiOperation
from formwork.egress.stubs.refusals import RefusalError
from formwork.egress.stubs.requests import CheckedRequest
from formwork.egress.stubs.resources import ResourcePath

_JSON_PATCH = "application/json-patch+json"


def sent_item(resource: ResourcePath, checked: CheckedRequest) -> dict[str, Any]:
    """Return the item in a request, with defaults for the members that it leaves out.

    Raises:
        RefusalError: the body is not one item (501).
    """
    sent, declared, merged = _sent(resource, checked)
    if sent is None:
        return {}
    defaults = {name: merged[name]["default"] for name in declared if "default" in merged[name]}
    return {**{name: value for name, value in defaults.items() if value is not None}, **_writable(sent, merged)}


def replaced(resource: ResourcePath, checked: CheckedRequest, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item after a PUT: members that requests can contain are replaced, those the service sets stay."""
    _, declared, merged = _sent(resource, checked)
    kept = {
        name: value for name, value in before.items() if name not in declared or merged[name].get("readOnly") is True
    }
    return {**kept, **sent_item(resource, checked)}


def merged_patch(resource: ResourcePath, checked: CheckedRequest, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item after a PATCH, as RFC 7396 (JSON Merge Patch) merges.

    Raises:
        RefusalError: the patch is another kind (501).
    """
    if checked.request.headers.get("content-type", "").startswith(_JSON_PATCH):
        raise RefusalError((501, 415), "stubs do not support JSON Patch (RFC 6902)")
    sent, _, merged = _sent(resource, checked)
    result: dict[str, Any] = _merge(dict(before), {} if sent is None else _writable(sent, merged))
    return result


def _merge(before: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    result = dict(before) if isinstance(before, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = _merge(result.get(name), value)
    return result


def _sent(
    resource: ResourcePath, checked: CheckedRequest
) -> tuple[dict[str, Any] | None, Mapping[str, Any], Mapping[str, Any]]:
    """Return the item in a request, None where there is no body; the nodes of its properties, as written and merged."""
    if checked.content is None or checked.body is None:
        return None, {}, {}
    schema = checked.content.schema
    envelope = request_envelope(schema, resource.item, resource.collection)
    sent = value_at(checked.body, envelope)
    if sent is None and isinstance(checked.body, dict):
        sent = {}
    if not isinstance(sent, dict):
        raise RefusalError((501, 500), "stubs create and change one item at a time, and the body is not an object")
    node = node_at(schema, envelope)
    declared = schema.properties(node)
    if declared and not schema.merged(node).get("additionalProperties"):  # others are ignored, as services do
        sent = {name: value for name, value in sent.items() if name in declared}
    return sent, declared, {name: schema.merged(node) for name, node in declared.items()}


def _writable(sent: Mapping[str, Any], merged: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sent.items() if merged.get(name, {}).get("readOnly") is not True}


def typed_key(resource: ResourcePath, operation: ApiOperation, key: str) -> Any:
    """Return the id in a path as the property of an item is typed: a number where the schema wants one."""
    response = operation.success(200, 201)
    content = None if response is None else response.json
    if content is None or resource.id_name is None:
        return key
    node = content.schema.properties(node_at(content.schema, resource.item)).get(resource.id_name, {})
    types = content.schema.merged(node).get("type", ())
    is_number = bool({"integer", "number"} & set(types)) and "string" not in types
    return int(key) if is_number and key.isascii() and key.isdecimal() and len(key) < 20 else key
