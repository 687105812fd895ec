"""HTTP/1.1 on the server side: one request from a stream, one response to bytes; bounded, with chunked bodies.

The standard library's http.server parses headers with the e-mail package and writes unbuffered, which costs more than
a whole invocation; and it reads no chunked bodies, which Go's and Java's runtime clients send.
"""

import http
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

MAX_HEADER_BYTES = 64 * 1024
MAX_HEADERS = 200
# How much of a body that is too large is read on, so that the client hears the answer instead of a reset connection.
DRAIN_BYTES = 64 * 1024 * 1024
_DIGITS = 18  # of a length that is one


@dataclass(frozen=True, slots=True)
class Request:
    """A request; header names are lower-case, `path` comes without the query and still percent-encoded.

    `too_large` says that the body went over the limit and was dropped.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    keep_alive: bool
    too_large: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """A response; Content-Length and Date-less framing headers are added when it is rendered."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


class BadRequestError(Exception):
    """The request cannot be served; answer with `status` and close."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def render_response(response: Response, *, close: bool, head: bool = False) -> bytes:
    """Return the bytes of a response, for one write; of a HEAD request's without the body."""
    lines = [f"HTTP/1.1 {response.status} {_phrase(response.status)}"]
    lines += [f"{name}: {value}" for name, value in response.headers.items()]
    if response.status != http.HTTPStatus.NO_CONTENT:  # which has no body, and says so by itself
        lines += [f"Content-Type: {response.content_type}", f"Content-Length: {len(response.body)}"]
    lines.append("Connection: close" if close else "Connection: keep-alive")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + (b"" if head else response.body)


def _phrase(status: int) -> str:
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def read_request(stream: BinaryIO, *, max_body: int, send_continue: Callable[[], None]) -> Request | None:
    """Return the next request on `stream`, None at its end.

    `send_continue` is called where the client waits for `100 Continue` before it sends the body.

    Raises:
        BadRequestError: no HTTP request, or one over the bounds.
        OSError: the connection broke.
    """
    start = _read_line(stream, MAX_HEADER_BYTES)
    if not start:
        return None
    if not start.strip():  # a client may send an empty line between requests (RFC 9112, 2.2)
        start = _read_line(stream, MAX_HEADER_BYTES)
    parts = start.decode("latin-1").split()
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        raise BadRequestError(400, "this is not an HTTP/1.1 request")
    method, target, version = parts
    headers = _read_headers(stream)
    if headers.get("expect", "").lower() == "100-continue":
        send_continue()
    body, too_large = _read_body(stream, headers, max_body)
    connection = headers.get("connection", "").lower()
    keep_alive = "keep-alive" in connection if version == "HTTP/1.0" else "close" not in connection
    path, _, query = target.partition("?")
    return Request(method, path, query, headers, body, keep_alive, too_large)


def _read_line(stream: BinaryIO, limit: int) -> bytes:
    line = stream.readline(limit + 1)
    if len(line) > limit:
        raise BadRequestError(431, f"a line of the header is longer than {limit} bytes")
    return line


def _read_headers(stream: BinaryIO) -> dict[str, str]:
    headers: dict[str, str] = {}
    left = MAX_HEADER_BYTES
    while (line := _read_line(stream, left)) not in (b"\r\n", b"\n"):
        left -= len(line)
        name, colon, value = line.decode("latin-1").partition(":")
        if not line.endswith(b"\n") or not colon or not name or name != name.strip():
            raise BadRequestError(400, "a header line is malformed")
        name = name.lower()
        if name in headers and name in ("content-length", "transfer-encoding"):
            raise BadRequestError(400, f"two {name} headers")
        headers[name] = f"{headers[name]}, {value.strip()}" if name in headers else value.strip()
        if len(headers) > MAX_HEADERS or left <= 0:
            raise BadRequestError(431, "too many headers")
    return headers


def _read_body(stream: BinaryIO, headers: Mapping[str, str], limit: int) -> tuple[bytes, bool]:
    encoding = headers.get("transfer-encoding")
    if encoding is not None:
        if encoding.lower() != "chunked" or "content-length" in headers:
            raise BadRequestError(400, f"transfer encoding {encoding} is not supported")
        return _read_chunks(stream, limit)
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()):
        raise BadRequestError(400, f'content length "{length}" is not a number')
    size = int(length) if len(length) < _DIGITS else DRAIN_BYTES + 1  # Python refuses to read thousands of digits
    if size > limit:
        _drain(stream, size)
        return b"", True
    return _read_exactly(stream, size), False


def _read_chunks(stream: BinaryIO, limit: int) -> tuple[bytes, bool]:
    body = bytearray()
    total = 0
    while size := _chunk_size(_read_line(stream, 4096)):
        total += size
        if total > DRAIN_BYTES:
            raise BadRequestError(413, "the body is too large")
        if total <= limit:
            body += _read_exactly(stream, size)
        else:
            _drain(stream, size)
        if _read_line(stream, 2) not in (b"\r\n", b"\n"):
            raise BadRequestError(400, "a chunk of the body is malformed")
    _read_headers(stream)  # the trailers
    return (b"", True) if total > limit else (bytes(body), False)


def _chunk_size(line: bytes) -> int:
    digits = line.split(b";", 1)[0].strip()
    if not 0 < len(digits) <= 8 or digits.strip(b"0123456789abcdefABCDEF"):
        raise BadRequestError(400, "the size of a chunk is malformed")
    return int(digits, 16)


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = stream.read(size - len(data))  # an unbuffered stream gives what has arrived
        if not piece:
            raise BadRequestError(400, "the body is incomplete")
        data += piece
    return bytes(data)


def _drain(stream: BinaryIO, size: int) -> None:
    if size > DRAIN_BYTES:
        raise BadRequestError(413, "the body is too large")
    while size > 0:
        piece = stream.read(min(size, 1 << 20))
        if not piece:
            raise BadRequestError(400, "the body is incomplete")
        size -= len(piece)
