"""Requests checked against an operation: credentials, parameters and the body."""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, unquote

from msgspec import Struct, field

from formwork.documents.bounds import nests_deeper
from formwork.egress.stubs.filling import usable
from formwork.egress.stubs.names import NAMES, plain
from formwork.egress.stubs.operations import ApiOperation, ApiParameter, Content, Scheme, is_json
from formwork.egress.stubs.refusals import RefusalError
from formwork.egress.stubs.schemas import ClosedSchema
from formwork.instances.shapes import Node
from formwork.lambda_host.http_messages import Request

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,30})", re.ASCII)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?", re.ASCII)
_SEPARATORS = {"spaceDelimited": " ", "pipeDelimited": "|"}
# Headers that OpenAPI leaves to the content and the security schemes.
_NOT_PARAMETERS = frozenset({"accept", "content-type", "authorization"})
_KEY_HEADERS, _KEY_MEMBERS = NAMES["idempotency"]["headers"], NAMES["idempotency"]["members"]
_FORM = "application/x-www-form-urlencoded"


class CheckedRequest(Struct, frozen=True):
    """A request that an operation accepts: `query` are its declared parameters, `body` the value of its body.

    `content` is None where it has no body; a body of a media type that is not read is None.
    """

    request: Request
    path: Mapping[str, str]
    query: Mapping[str, Any] = field(default_factory=dict)
    content: Content | None = None
    body: Any = None

    @property
    def idempotency_key(self) -> str | None:
        """The client's idempotency key for this creation, or None."""
        headers = self.request.headers
        found = next((headers[name] for name in _KEY_HEADERS if headers.get(name)), None)
        if found is None and self.content is not None and isinstance(self.body, dict):
            declared = self.content.schema.properties(self.content.schema.root)
            named = [each for each in self.body if each in declared and plain(each) in _KEY_MEMBERS]
            found = next((str(self.body[each]) for each in named if self.body[each]), None)
        return found


def check_request(operation: ApiOperation, request: Request, path: Mapping[str, str]) -> CheckedRequest:
    """Return the request as the operation reads it; `path` are the parameters in the path, percent-decoded.

    Raises:
        RefusalError: a credential is missing (401), or the request is not what the document describes (400, 415, 422).
    """
    _check_credentials(operation, request)
    pairs = parse_qsl(request.query, keep_blank_values=True)
    query: dict[str, Any] = {}
    for parameter in operation.parameters:
        raw = _raw_values(parameter, request, path, pairs)
        if raw:
            value = _value(parameter, raw)
            if parameter.place == "query":
                query[parameter.name] = value
        elif parameter.required and not (parameter.place == "header" and parameter.name.lower() in _NOT_PARAMETERS):
            raise RefusalError((400, 422), f'missing {parameter.place} parameter "{parameter.name}"')
    content, body = _body(operation, request)
    return CheckedRequest(request, path, query, content, body)


def _check_credentials(operation: ApiOperation, request: Request) -> None:
    if not operation.security:
        return
    if any(all(_has(scheme, request) for scheme in alternative) for alternative in operation.security):
        return
    named = " or ".join(" and ".join(map(_shown, each)) for each in operation.security)
    challenges = _challenges(operation)
    # A client of HTTP authentication waits for a 401, also where the operation declares a 403 alone (RFC 9110, 15.5.2).
    raise RefusalError((401,) if challenges else (401, 403), f"missing credentials: {named}", challenges)


def _challenges(operation: ApiOperation) -> tuple[tuple[str, str], ...]:
    """Return the headers that say how to authenticate: clients of Digest wait for them (RFC 7616)."""
    kinds = {each.prefix.strip().capitalize() for alternative in operation.security for each in alternative} - {""}
    details = {"Digest": ', qop="auth", algorithm=MD5, nonce="formwork"'}
    first = sorted(kinds, key=lambda kind: (kind != "Digest", kind))  # some of its clients read the first header alone
    return tuple(("www-authenticate", f'{kind} realm="formwork"{details.get(kind, "")}') for kind in first)


def _shown(scheme: Scheme) -> str:
    return f'{scheme.place} "{scheme.name}"' + (f" ({scheme.prefix})" if scheme.prefix else "")


def _has(scheme: Scheme, request: Request) -> bool:
    match scheme.place:
        case "header":
            value = request.headers.get(scheme.name.lower(), "")
            return bool(value) and value.lower().startswith(scheme.prefix.lower()) and _is_credential(scheme, value)
        case "query":
            return any(name == scheme.name and value for name, value in parse_qsl(request.query))
        case _:
            return bool(_cookies(request).get(scheme.name))


def _is_credential(scheme: Scheme, value: str) -> bool:
    if scheme.prefix.lower() != "basic":
        return bool(value[len(scheme.prefix) :].strip())
    try:
        return b":" in base64.b64decode(value[len("basic") :].strip(), validate=True)
    except (binascii.Error, ValueError):
        return False


def _cookies(request: Request) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(request.headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _raw_values(
    parameter: ApiParameter, request: Request, path: Mapping[str, str], pairs: list[tuple[str, str]]
) -> list[str] | dict[str, str]:
    match parameter.place:
        case "path":
            return [path[parameter.name]] if parameter.name in path else []
        case "query":
            if parameter.style == "deepObject":
                inner = re.compile(re.escape(parameter.name) + r"\[([^\]]*)\]")
                return {found[1]: value for name, value in pairs if (found := inner.fullmatch(name))}
            return [value for name, value in pairs if name in (parameter.name, f"{parameter.name}[]")]
        case "header":
            value = request.headers.get(parameter.name.lower())
        case _:
            value = _cookies(request).get(parameter.name)
    return [] if value is None else [value]


def _value(parameter: ApiParameter, raw: list[str] | dict[str, str]) -> Any:
    schema, merged = parameter.schema, parameter.schema.merged(parameter.schema.root)
    types = merged.get("type", ())
    value: Any = None
    if isinstance(raw, dict):
        value = _typed_members(schema, schema.root, raw)
    elif parameter.style == "content":
        value = _json(raw[0].encode(), f'{parameter.place} parameter "{parameter.name}"')
    elif types and set(types) <= {"array", "null"}:
        texts = raw if parameter.explode else raw[0].split(_SEPARATORS.get(parameter.style, ","))
        value = [_typed(schema, merged.get("items", {}), each) for each in texts]
    elif types and set(types) <= {"object", "null"}:
        return raw[0]  # styles that name the members of an object are not read
    else:
        value = next(filter(schema.is_valid, _readings(raw[0])), None)
        value = _typed(schema, schema.root, raw[0]) if value is None else value
    problem = schema.problem(value)
    if problem is not None:
        raise RefusalError((400, 422), f'{parameter.place} parameter "{parameter.name}": {problem[1]}')
    return value


def _readings(text: str) -> Iterator[Any]:
    if text in ("true", "false"):
        yield text == "true"
    if _INTEGER.fullmatch(text):
        yield int(text)
    elif _NUMBER.fullmatch(text):
        yield float(text)
    yield text


def _typed(schema: ClosedSchema, node: Any, text: str) -> Any:
    types = schema.merged(node).get("type", ())
    kinds: dict[type, tuple[str, ...]] = {bool: ("boolean",), int: ("integer", "number"), float: ("number",)}
    for value in _readings(text):
        if any(each in types for each in kinds.get(type(value), ())):
            return value
    return text


def _typed_members(schema: ClosedSchema, node: Any, members: Mapping[str, Any]) -> dict[str, Any]:
    declared = schema.properties(node)
    return {name: _typed_value(schema, declared.get(name, {}), value) for name, value in members.items()}


def _typed_value(schema: ClosedSchema, node: Any, value: Any) -> Any:
    merged: Node = schema.merged(node)
    if isinstance(value, str):
        single = _typed(schema, node, value)
        return [_typed(schema, merged.get("items", {}), value)] if _is_list(merged) else single
    if isinstance(value, list):
        return [_typed_value(schema, merged.get("items", {}), each) for each in value]
    if _is_list(merged):  # `a[0]=x`
        return [_typed_value(schema, merged.get("items", {}), each) for each in value.values()]
    return _typed_members(schema, node, value)


def _is_list(merged: Node) -> bool:
    types = merged.get("type", ())
    return "array" in types and set(types) <= {"array", "null"}


def _body(operation: ApiOperation, request: Request) -> tuple[Content | None, Any]:
    if not operation.body:
        return None, None
    if not request.body:
        if operation.body_required:
            raise RefusalError((400, 422), "missing request body")
        return None, None
    written = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    content = next((each for each in operation.body if _takes(each.media_type, written)), None)
    if content is None:
        known = ", ".join(each.media_type for each in operation.body)
        raise RefusalError((415, 400), f'content type "{written}" is not one of: {known}')
    body = _read(content, written or content.media_type.lower(), request.body)
    problem = None if body is None and not is_json(content.media_type) else content.schema.problem(body)
    if problem is not None:
        problem = usable(content.schema).problem(body)
    if problem is not None:
        place = "".join(f"/{step}" for step in problem[0])
        raise RefusalError((400, 422), f"request body{' at ' + place if place else ''}: {problem[1]}")
    return content, body


def _takes(media_type: str, written: str) -> bool:
    declared = media_type.partition(";")[0].strip().lower()
    if not written or declared in ("*/*", written):
        return True
    return declared.endswith("/*") and written.startswith(declared[:-1])


def _read(content: Content, written: str, data: bytes) -> Any:
    if is_json(written):
        return _json(data, "request body")
    if written == _FORM:
        pairs = parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True)
        return _typed_members(content.schema, content.schema.root, _nested(pairs))
    return None


def _nested(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the members of a form, in which `a[b]` is a member of an object and `a[]` an item of a list."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        first, *steps = re.findall(r"[^\[\]]+|\[\]", name)[:8] or [name]
        here: Any = made
        for step, after in zip([first, *steps], [*steps, None], strict=True):
            if not isinstance(here, dict):
                break
            if after is None:
                here[step] = value if step not in here else [*_as_list(here[step]), value]
            elif after == "[]":
                here[step] = [*_as_list(here.get(step, [])), value]
                break
            else:
                here = here.setdefault(step, {})
    return made


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _json(data: bytes, what: str) -> Any:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        reason = "too deep" if isinstance(error, RecursionError) else str(error)
        raise RefusalError((400, 422), f"{what} is not JSON: {reason}") from None
    if nests_deeper(value):
        raise RefusalError((400, 422), f"{what} nests too deep")
    return value


def decoded(segment: str) -> str:
    """Return a segment of a path, percent-decoded."""
    return unquote(segment, errors="replace")
