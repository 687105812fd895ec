"""A request passed on to another server as it came, and the response passed back piece by piece."""

import http
import http.client
import socket
from collections.abc import Iterator
from urllib.parse import SplitResult, urlsplit

from formwork.lambda_host.http11 import Request

_CONNECT_SECONDS = 20.0
# As long as the longest invocation.
_ANSWER_SECONDS = 900.0
_BLOCK = 64 * 1024
# Of one connection, not of what it carries (RFC 9110, 7.6.1). The body's framing is rewritten: bodies are read whole.
_HOP = frozenset(
    {"connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "transfer-encoding"}
    | {"upgrade", "expect", "content-length"}
)
_BODILESS = frozenset({http.HTTPStatus.NO_CONTENT, http.HTTPStatus.NOT_MODIFIED})


class UnreachableError(Exception):
    """The server does not answer; the text says why."""


def forward(request: Request, origin: str, client: socket.socket) -> None:
    """Send `request` to the server at the URL `origin`, below its path, and what it answers to `client`.

    The headers go as they are, Host included. The response is framed again, so that `client` can be used afterwards.

    Raises:
        UnreachableError: there is no answer; nothing was sent to `client`.
        OSError: either connection broke while the response was passed back.
    """
    server = urlsplit(origin)
    connection = _connection(server)
    try:
        try:
            response = _ask(connection, request, server.path.rstrip("/"))
        except (OSError, UnicodeError, http.client.HTTPException) as error:
            raise UnreachableError(str(getattr(error, "strerror", None) or error) or type(error).__name__) from error
        for piece in _rendered(response, request):
            client.sendall(piece)
    except http.client.HTTPException as error:  # the server ended within its response
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


def _connection(server: SplitResult) -> http.client.HTTPConnection:
    kind = http.client.HTTPSConnection if server.scheme == "https" else http.client.HTTPConnection
    return kind(server.hostname or "", server.port, timeout=_CONNECT_SECONDS)


def _ask(connection: http.client.HTTPConnection, request: Request, prefix: str) -> http.client.HTTPResponse:
    target = f"{prefix}{request.path}?{request.query}" if request.query else f"{prefix}{request.path}"
    connection.connect()
    connection.sock.settimeout(_ANSWER_SECONDS)
    connection.putrequest(request.method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in request.headers.items():
        if name not in _HOP:
            connection.putheader(name, value.encode("latin-1"))
    if request.body or "content-length" in request.headers or "transfer-encoding" in request.headers:
        connection.putheader("content-length", str(len(request.body)))
    connection.endheaders(request.body or None)
    return connection.getresponse()


def _rendered(response: http.client.HTTPResponse, request: Request) -> Iterator[bytes]:
    """Yield the bytes of a response: with its own length where it has one, else in chunks."""
    length = response.headers.get("content-length")
    bodiless = request.method == "HEAD" or response.status in _BODILESS
    lines = [f"HTTP/1.1 {response.status} {response.reason}"]
    lines += [f"{name}: {value}" for name, value in response.getheaders() if name.lower() not in _HOP]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    elif not bodiless:
        lines.append("Transfer-Encoding: chunked")
    lines.append(f"Connection: {'keep-alive' if request.keep_alive else 'close'}")
    yield "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")
    while not bodiless and (block := response.read1(_BLOCK)):
        yield block if length is not None else b"%x\r\n%b\r\n" % (len(block), block)
    if not bodiless and length is None:
        yield b"0\r\n\r\n"
