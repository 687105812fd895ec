"""Recorded calls as values: a request, its reply, and their bodies in the form that a reviewer reads."""

import base64
import gzip
import json
import tomllib
import zlib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.documents.bounds import nests_deeper
from formwork.egress.messages import Outgoing, Reply

NAMES: Mapping[str, Mapping[str, frozenset[str]]] = {
    area: {what: frozenset(names) for what, names in members.items()}
    for area, members in tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8")).items()
}
LARGEST_BODY = 4 * 1024 * 1024
COMPACT = "compact"
# A reply may be a document that was stored, and which a handler compares: its text has to be the same again.
LAYOUTS: Mapping[str, Mapping[str, Any]] = {
    COMPACT: {"separators": (",", ":")},
    "spaced": {},
    "2 spaces": {"indent": 2},
    "4 spaces": {"indent": 4},
}
_FORM = "application/x-www-form-urlencoded"
_PORTS = {"http": 80, "https": 443}


class BodyKind(StrEnum):
    """The form that a body is recorded in."""

    EMPTY = "empty"
    JSON = "json"
    FORM = "form"
    TEXT = "text"
    BASE64 = "base64"
    OMITTED = "omitted"


class Body(Struct, frozen=True):
    """A body: `value` is JSON, the members of a form, a text, base64, or the number of bytes of what is omitted.

    `layout` is the one of `LAYOUTS` that a reply's JSON text has; `text` is the text itself where it has none of them.
    """

    kind: BodyKind
    value: Any = None
    layout: str = COMPACT
    text: str | None = None


class RecordedRequest(Struct, frozen=True):
    """What is recorded of a request: `url` is without the query, `query` has a list for a name that is there twice."""

    method: str
    url: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Body = Body(BodyKind.EMPTY)

    @property
    def host(self) -> str:
        """The host in the URL, with its port where that is not the scheme's."""
        return self.url.partition("://")[2].partition("/")[0]

    @property
    def path(self) -> str:
        """The path in the URL."""
        return "/" + self.url.partition("://")[2].partition("/")[2]


class RecordedReply(Struct, frozen=True):
    """What is recorded of a reply."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: Body = Body(BodyKind.EMPTY)


class RecordedCall(Struct, frozen=True):
    """A request and its reply; `part` names the part of the run that sent it, "" where it has none."""

    request: RecordedRequest
    reply: RecordedReply
    part: str = ""


def request_of(outgoing: Outgoing) -> RecordedRequest:
    """Return what can be recorded of a request, secrets included; credentials in headers are not among it."""
    request = outgoing.request
    host = f"[{outgoing.host}]" if ":" in outgoing.host else outgoing.host
    place = host if outgoing.port == _PORTS.get(outgoing.scheme) else f"{host}:{outgoing.port}"
    pairs = parse_qsl(request.query, keep_blank_values=True)
    headers = {name: value for name, value in sorted(request.headers.items()) if name in NAMES["requests"]["headers"]}
    if "content-type" in headers:
        headers["content-type"] = headers["content-type"].partition(";")[0].strip().lower()
    data = _decoded(request.body, request.headers.get("content-encoding", ""))
    content_type = headers.get("content-type", "")
    return RecordedRequest(
        method=request.method.upper(),
        url=f"{outgoing.scheme}://{place}{request.path}",
        query=_members([pair for pair in pairs if pair[0].lower() not in NAMES["requests"]["unrecorded"]]),
        headers=headers,
        body=_body(request.body if data is None else data, content_type),
    )


def reply_of(reply: Reply) -> RecordedReply:
    """Return what can be recorded of a reply, secrets included; compressed bodies are recorded as they were before."""
    dropped = NAMES["replies"]["unrecorded"]
    headers = [(name, value) for name, value in reply.headers if name.lower() not in dropped]
    encoding = next((value for name, value in headers if name.lower() == "content-encoding"), "")
    data = _decoded(reply.body, encoding)
    if data is not None:
        headers = [(name, value) for name, value in headers if name.lower() != "content-encoding"]
    content_type = next((value for name, value in headers if name.lower() == "content-type"), "")
    whole = reply.body if data is None else data
    body = _body(whole, content_type, is_form=False)
    return RecordedReply(reply.status, tuple(headers), _laid_out(body, whole) if body.kind is BodyKind.JSON else body)


def as_reply(recorded: RecordedReply) -> Reply:
    """Return the reply as a client receives it."""
    match recorded.body.kind:
        case BodyKind.JSON:
            data = json.dumps(recorded.body.value, ensure_ascii=False, **LAYOUTS[recorded.body.layout]).encode()
        case BodyKind.BASE64:
            data = base64.b64decode(recorded.body.value)
        case BodyKind.TEXT:
            data = str(recorded.body.value).encode()
        case _:
            data = b""
    return Reply(recorded.status, data, recorded.headers)


def _laid_out(body: Body, data: bytes) -> Body:
    """Return a body of JSON with the layout of its text."""
    text = _text(data)
    if text is None:
        return body
    for layout, words in LAYOUTS.items():
        if json.dumps(body.value, ensure_ascii=False, **words) == text:
            return replace(body, layout=layout)
    return replace(body, text=text)


def _members(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name not in made:
            made[name] = value
        elif isinstance(made[name], list):
            made[name].append(value)
        else:
            made[name] = [made[name], value]
    return made


def _decoded(data: bytes, encoding: str) -> bytes | None:
    """Return a compressed body as it was before, None where it is not compressed in a way that is known."""
    try:
        match encoding.strip().lower():
            case "gzip" | "x-gzip":
                found = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(data, LARGEST_BODY + 1)
            case "deflate":
                found = zlib.decompressobj().decompress(data, LARGEST_BODY + 1)
            case _:
                return None
    except (zlib.error, gzip.BadGzipFile):
        return None
    return found


def _body(data: bytes, content_type: str, *, is_form: bool = True) -> Body:
    if not data:
        return Body(BodyKind.EMPTY)
    if len(data) > LARGEST_BODY:
        return Body(BodyKind.OMITTED, len(data))
    essence = content_type.partition(";")[0].strip().lower()
    if essence == _FORM and is_form:
        text = _text(data)
        if text is not None:
            return Body(BodyKind.FORM, _members(parse_qsl(text, keep_blank_values=True)))
    value = _json(data) if "json" in essence or data[:1] in (b"{", b"[") else None
    if value is not None:
        return value
    text = _text(data)
    return Body(BodyKind.BASE64, base64.b64encode(data).decode()) if text is None else Body(BodyKind.TEXT, text)


def _text(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text or text.startswith("\ufeff") else text


def _json(data: bytes) -> Body | None:
    try:
        value = json.loads(data)
        if nests_deeper(value, 100):
            return None
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):  # UnicodeEncodeError, for half of a surrogate pair, is one
        return None
    return Body(BodyKind.JSON, value)
