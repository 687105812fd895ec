"""Forwarding: a request is sent to another server unchanged, and the response is returned block by block."""

import http
import http.client
from urllib.parse import SplitResult, urlsplit

import h11

from formwork.lambda_host.http_connection import ServerConnection
from formwork.lambda_host.http_messages import Request

_CONNECT_SECONDS = 20.0
# As long as the longest invocation.
_ANSWER_SECONDS = 900.0
_BLOCK = 64 * 1024
# Headers of one connection, which are not forwarded (RFC 9110, 7.6.1); bodies of requests are read whole.
_HOP = frozenset(
    {"connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "transfer-encoding"}
    | {"upgrade", "expect", "content-length"}
)
_BODILESS = frozenset({http.HTTPStatus.NO_CONTENT, http.HTTPStatus.NOT_MODIFIED})


class UnreachableError(Exception):
    """The server does not answer; the message says why."""


def forward(request: Request, origin: str, client: ServerConnection) -> None:
    """Send `request` to the server at the URL `origin`, below its path, and its response to `client`.

    The headers are sent unchanged, Host included. The response has framing of its own, so that `client` stays usable.

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
        headers = [(name, value) for name, value in response.getheaders() if name.lower() not in _HOP]
        if (length := response.headers.get("content-length")) is not None:
            headers.append(("Content-Length", length))
        bodiless = request.method == "HEAD" or response.status in _BODILESS
        blocks = () if bodiless else iter(lambda: response.read1(_BLOCK), b"")
        client.send_stream(response.status, response.reason, headers, blocks)
    except (http.client.HTTPException, h11.LocalProtocolError) as error:  # the response is malformed or ends early
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
