"""Messages of JSON-RPC 2.0 as language servers and clients frame them on a stream.

Source: Language Server Protocol 3.17, "Base Protocol".
"""

import json
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, BinaryIO, TypeAlias

from msgspec import Struct

MAX_BODY = 64 * 1024 * 1024  # bytes of one message; documents have 10 MB at most
_MAX_HEADER = 4096  # bytes of one line of the header
_MAX_HEADERS = 32
_MAX_DEPTH = 500  # of a message; JSON's reader would take the recursion limit of the process


class ErrorCode(IntEnum):
    """What a response says of a request that failed."""

    PARSE = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL = -32603
    NOT_INITIALIZED = -32002
    REQUEST_FAILED = -32803
    CANCELLED = -32800


class ProtocolError(Exception):
    """A message that cannot be answered as asked; `code` and the text are the answer."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class BrokenStreamError(Exception):
    """A stream in which the next message can't be found."""


class ClientRequest(Struct, frozen=True):
    """A call that wants a response."""

    id: int | str
    method: str
    params: Any


class ClientNotification(Struct, frozen=True):
    """A call without a response."""

    method: str
    params: Any


class ClientReply(Struct, frozen=True):
    """The client's answer to a request of the server's."""

    id: int | str | None
    result: Any
    error: Any


class MalformedMessage(Struct, frozen=True):
    """A message that is not JSON-RPC, to be answered with `error`."""

    id: int | str | None
    error: ProtocolError


Message: TypeAlias = ClientRequest | ClientNotification | ClientReply | MalformedMessage


def read_message(stream: BinaryIO) -> Message | None:
    """Return the next message of `stream`, None at its end.

    Raises:
        BrokenStreamError: the header has no usable length, or the stream ends within a message.
    """
    length = _read_header(stream)
    if length is None:
        return None
    body = stream.read(length)
    if len(body) < length:
        raise BrokenStreamError("the stream ends within a message")
    return parse_message(body)


def parse_message(body: bytes) -> Message:
    """Return the message in `body`; what is not one is `MalformedMessage`."""
    try:
        value = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # bad UTF-8 is a ValueError
        return MalformedMessage(None, ProtocolError(ErrorCode.PARSE, f"the message is not JSON: {error}"))
    if not isinstance(value, dict) or _nests_deeper(value):
        return MalformedMessage(
            None, ProtocolError(ErrorCode.INVALID_REQUEST, "the message is not an object, or too deep")
        )
    return _classify(value)


def _classify(value: dict[str, Any]) -> Message:
    identity, method = value.get("id"), value.get("method")
    known = identity if isinstance(identity, int | str) and not isinstance(identity, bool) else None
    if isinstance(method, str) and "id" not in value:
        return ClientNotification(method, value.get("params"))
    if isinstance(method, str) and known is not None:
        return ClientRequest(known, method, value.get("params"))
    if "method" not in value and ("result" in value or "error" in value):
        return ClientReply(known, value.get("result"), value.get("error"))
    said = "the message has no method" if not isinstance(method, str) else "the id is not a number or a string"
    return MalformedMessage(known, ProtocolError(ErrorCode.INVALID_REQUEST, said))


def render_message(value: Mapping[str, Any]) -> bytes:
    """Return the bytes of a message with its header; half a surrogate pair is escaped, as UTF-8 cannot express it."""
    text = json.dumps({"jsonrpc": "2.0", **value}, ensure_ascii=False, separators=(",", ":"))
    try:
        body = text.encode("utf-8")
    except UnicodeEncodeError:
        body = json.dumps({"jsonrpc": "2.0", **value}, separators=(",", ":")).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _read_header(stream: BinaryIO) -> int | None:
    length: int | None = None
    for count in range(_MAX_HEADERS):
        line = stream.readline(_MAX_HEADER)
        if not line and count == 0:
            return None
        if not line.endswith(b"\n"):
            raise BrokenStreamError("a line of the header is too long, or the stream ends in it")
        if not line.strip():
            if length is None:
                raise BrokenStreamError("the header has no Content-Length")
            return length
        name, _, written = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = _read_length(written.strip())
    raise BrokenStreamError("the header has too many lines")


def _read_length(written: bytes) -> int:
    if not written.isdigit() or len(written) > 12 or int(written) > MAX_BODY:
        raise BrokenStreamError(f"Content-Length is not a number up to {MAX_BODY:,}")
    return int(written)


def _nests_deeper(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            child
            for each in level
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True
