"""Replies with items and lists, valid against the document's schemas for them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from formwork.egress.messages import Reply
from formwork.egress.stubs.envelopes import (
    Envelope,
    item_envelope,
    list_envelope,
    node_at,
    request_envelope,
    value_at,
    wrapped,
)
from formwork.egress.stubs.filling import Wanted, valid_value
from formwork.egress.stubs.names import NAMES, plain
from formwork.egress.stubs.operations import ApiOperation, Content, DeclaredResponse, written_type
from formwork.egress.stubs.paging import ListPage, next_url, page_members
from formwork.egress.stubs.refusals import RefusalError
from formwork.egress.stubs.resources import ResourcePath
from formwork.instances.errors import DeadEndError

_NOT_MODIFIED_BODY = frozenset({204, 205, 304})


class KnownItem(Struct, frozen=True):
    """The item in a reply: its known properties, and the seed from which missing ones are generated."""

    value: Mapping[str, Any]
    seed: str


def success_of(operation: ApiOperation, *preferred: int) -> DeclaredResponse:
    """Return the declared response of success.

    Raises:
        RefusalError: the operation declares none.
    """
    response = operation.success(*preferred)
    if response is None:
        named = f"{operation.method.upper()} {operation.template}"
        raise RefusalError((501, 500), f"the OpenAPI document declares no response of success for {named}")
    return response


def item_reply(
    resource: ResourcePath,
    operation: ApiOperation,
    response: DeclaredResponse,
    shown: KnownItem,
    location: str | None = None,
) -> tuple[Reply, dict[str, Any]]:
    """Return the reply that shows an item, and the properties that it shows.

    Raises:
        RefusalError: no valid response was found.
    """
    headers = _headers(response, {"location": location} if location else {})
    content = response.json
    if content is None or response.status in _NOT_MODIFIED_BODY:
        return _without_json(response, shown, headers), {}
    schema = content.schema
    envelope = _envelope(resource, content)
    made = server_made(operation, resource, content, envelope)
    shown_first = content.examples[0] if content.examples and isinstance(content.examples[0], dict) else {}
    example = _without_id(shown_first, resource, envelope)
    body = _valid(
        operation,
        content,
        wrapped(dict(shown.value), envelope),
        Wanted(shown.seed, example=example, made=made, at=envelope),
    )
    told = value_at(body, envelope)
    reply = Reply(
        response.status, _json(body), (("content-type", written_type(content.media_type, "application/json")), *headers)
    )
    return reply, told if isinstance(told, dict) and schema.properties(schema.root) else {}


def _envelope(resource: ResourcePath, content: Content) -> Envelope:
    names = resource.names
    envelope, _ = item_envelope(content.schema, names[-1] if names else "id", resource.collection)
    return envelope


def _without_id(example: Mapping[str, Any], resource: ResourcePath, envelope: Envelope) -> Mapping[str, Any]:
    inner = value_at(example, envelope)
    if not isinstance(inner, dict) or resource.id_name not in inner:
        return example
    shown = {name: value for name, value in inner.items() if name != resource.id_name}
    found = wrapped(shown, envelope)
    return {**example, **found}


def list_reply(  # noqa: PLR0913, PLR0917 - what a list is about
    resource: ResourcePath,
    operation: ApiOperation,
    response: DeclaredResponse,
    page: ListPage,
    address: str,
    query: str,
) -> Reply:
    """Return the reply that shows a page of a list.

    Raises:
        RefusalError: no valid response was found.
    """
    content = response.json
    url = next_url(page, address, query)
    known = {"link": f'<{url}>; rel="next"'} if url is not None else {}
    known |= dict.fromkeys(NAMES["pages"]["total_headers"], str(page.total))
    if content is None:
        return _without_json(response, KnownItem({}, resource.template), _headers(response, known))
    envelope = list_envelope(content.schema, resource.template.rpartition("/")[2]) or ()
    items = [value for _, value in page.items]
    given: Any = items
    if envelope:
        given = page_members(content.schema, content.schema.root, page, url, address)
        here = given
        for name in envelope[:-1]:
            here = here.setdefault(name, {})
        here[envelope[-1]] = items
    body = _valid(operation, content, given, Wanted(f"list/{resource.template}"))
    extra = {} if envelope else {name: value for name, value in known.items() if name == "link"}
    headers = _headers(response, known, extra)
    return Reply(
        response.status, _json(body), (("content-type", written_type(content.media_type, "application/json")), *headers)
    )


def server_made(
    operation: ApiOperation, resource: ResourcePath, content: Content, envelope: Envelope
) -> frozenset[str]:
    """Return the item's properties that the service sets: readOnly ones, and those that no request contains."""
    schema = content.schema
    shown = schema.properties(node_at(schema, envelope))
    made = {name for name, node in shown.items() if schema.merged(node).get("readOnly") is True}
    sent: set[str] = set()
    for each in (operation, *resource.operations.values()):
        body = each.json_body
        if body is not None and each.method != "get":
            inner = request_envelope(body.schema, envelope, resource.collection)
            sent |= body.schema.properties(node_at(body.schema, inner)).keys()
    return frozenset(made | (shown.keys() - sent if sent & shown.keys() else set()))


def _valid(operation: ApiOperation, content: Content, given: Any, wanted: Wanted) -> Any:
    body, valid = valid_value(content.schema, given, wanted)
    if not valid:
        named = f"{operation.method.upper()} {operation.template}"
        raise RefusalError((501, 500), f"the stub found no valid response for {named}")
    return body


def _without_json(response: DeclaredResponse, shown: KnownItem, headers: Sequence[tuple[str, str]]) -> Reply:
    if response.status in _NOT_MODIFIED_BODY or not response.content:
        return Reply(response.status, b"", tuple(headers))
    content = response.content[0]
    text = content.examples[0] if content.examples else None
    if text is None and content.has_schema:
        try:
            text = content.schema.make({"$ref": "#/$defs/0"}, shown.seed)
        except DeadEndError:
            text = ""
    body = text.encode() if isinstance(text, str) else _json(text) if text is not None else b""
    kind = written_type(content.media_type, "text/plain")
    return Reply(response.status, body, (("content-type", kind), *headers))


def _headers(
    response: DeclaredResponse, known: Mapping[str, str], extra: Mapping[str, str] | None = None
) -> tuple[tuple[str, str], ...]:
    """Return the headers that are known, if the response declares them or they are `extra`, and required ones."""
    made: dict[str, str] = dict(extra or {})
    if "location" in known:
        made["location"] = known["location"]
    for name, content in response.headers.items():
        value = known.get(name.lower()) or known.get(plain(name))
        if value is None and name in response.required_headers:
            value = _made_header(content, name)
        if value is not None:
            made.pop(name.lower(), None)
            made[name] = value
    return tuple(made.items())


def _made_header(content: Content, name: str) -> str:
    if content.examples:
        return str(content.examples[0])
    try:
        value = content.schema.make({"$ref": "#/$defs/0"}, name)
    except DeadEndError:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
