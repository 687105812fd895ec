"""Replies that refuse a request, in the form that the document gives errors."""

import json
from typing import Any

from formwork.egress.messages import Reply
from formwork.egress.stubs.filling import Wanted, valid_value
from formwork.egress.stubs.names import NAMES, plain
from formwork.egress.stubs.operations import ApiOperation, Content, written_type
from formwork.egress.stubs.schemas import ClosedSchema

_MESSAGES, _ERRORS, _STATUSES = (NAMES["errors"][each] for each in ("messages", "errors", "statuses"))
_SLUGS = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    415: "unsupported_media_type",
    422: "unprocessable_entity",
    501: "not_implemented",
}
_DEEPEST = 3


class RefusalError(Exception):
    """A request that the service refuses: with the first of `statuses` that the operation declares, else the first."""

    def __init__(self, statuses: tuple[int, ...], message: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.statuses = statuses
        self.message = message
        self.headers = headers


def refusal_reply(operation: ApiOperation | None, refusal: RefusalError) -> Reply:
    """Return the reply to a refused request, valid against the document's schema for the status if there is one."""
    if operation is None:
        return _plain(refusal.statuses[0], refusal)
    response = operation.failure(*refusal.statuses)
    content = response.json
    if content is None and response.content:
        headers = (("content-type", written_type(response.content[0].media_type, "text/plain")), *refusal.headers)
        return Reply(response.status, refusal.message.encode(), headers)
    if content is None or not content.has_schema:
        return _plain(response.status, refusal)
    body = _error_body(content, response.status, refusal.message)
    if body is None:
        return Reply(response.status, b"", refusal.headers)
    headers = (("content-type", written_type(content.media_type, "application/json")), *refusal.headers)
    return Reply(response.status, json.dumps(body).encode(), headers)


def _plain(status: int, refusal: RefusalError) -> Reply:
    body = json.dumps({"message": refusal.message}).encode()
    return Reply(status, body, (("content-type", "application/json"), *refusal.headers))


def _error_body(content: Content, status: int, message: str) -> Any:
    """Return an error body with the message if the schema has a member for it; None if no valid body was found."""
    schema = content.schema
    known: tuple[Any, ...] = (_said(schema, schema.root, status, message, 0), {})
    for given in known:
        value, valid = valid_value(schema, given, Wanted(f"error/{status}", examples=False))
        if valid:
            return value
    return None


def _said(schema: ClosedSchema, node: Any, status: int, message: str, depth: int) -> Any:
    """Return the known members of an error body, message and status, wrapped as the schema wraps them."""
    if "array" in schema.merged(node).get("type", ()):
        if depth >= _DEEPEST:
            return []
        inner = _said(schema, schema.merged(node).get("items", {}), status, message, depth + 1)
        return [inner] if inner else []
    if "string" in schema.merged(node).get("type", ()):
        return message
    said: dict[str, Any] = {}
    for name, sub in schema.properties(node).items():
        known, merged = plain(name), schema.merged(sub)
        types = merged.get("type", ("string",))
        if known in _STATUSES and "integer" in types:
            said[name] = status
        elif known in _STATUSES and "string" in types and not {"enum", "const"} & merged.keys():
            said[name] = str(status) if known != "error" and "code" not in known else _SLUGS.get(status, "error")
        elif known in _MESSAGES and "string" in types:
            said[name] = message
        elif known in _ERRORS and depth < _DEEPEST:
            inner = _said(schema, sub, status, message, depth + 1)
            said |= {name: inner} if inner else {}
    return said
