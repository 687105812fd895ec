"""Forwarding: a request is sent to another server unchanged, and its whole response returned."""

import http.client
import ssl
from urllib.parse import SplitResult, urlsplit

from formwork.egress.messages import Outgoing, Reply
from formwork.lambda_host.http_messages import Request

_CONNECT_SECONDS = 20.0
# As long as the longest invocation.
_ANSWER_SECONDS = 900.0
# Headers of one connection, which are not forwarded (RFC 9110, 7.6.1); bodies are read whole.
_HOP = frozenset(
    {"connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "transfer-encoding"}
    | {"upgrade", "expect", "content-length"}
)


class UnreachableError(Exception):
    """The server does not answer; the message says why."""


def forward(outgoing: Outgoing, origin: str) -> Reply:
    """Send a request to the server at the URL `origin`, below its path, and return its response.

    The headers are sent unchanged, Host included. What a response to HEAD says of its length is kept.

    Raises:
        UnreachableError: there is no response, or none to the end.
    """
    server = urlsplit(origin)
    connection = _connection(server)
    try:
        response = _ask(connection, outgoing.request, server.path.rstrip("/"))
        body = response.read()
    except (OSError, UnicodeError, http.client.HTTPException) as error:
        raise UnreachableError(str(getattr(error, "strerror", None) or error) or type(error).__name__) from error
    finally:
        connection.close()
    headers = [(name, value) for name, value in response.getheaders() if name.lower() not in _HOP]
    length = response.headers.get("content-length")
    if outgoing.request.method == "HEAD" and length is not None:
        headers.append(("Content-Length", length))
    return Reply(response.status, body, tuple(headers), response.reason)


def _connection(server: SplitResult) -> http.client.HTTPConnection:
    if server.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(
            server.hostname or "", server.port, timeout=_CONNECT_SECONDS, context=context
        )
    return http.client.HTTPConnection(server.hostname or "", server.port, timeout=_CONNECT_SECONDS)


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
