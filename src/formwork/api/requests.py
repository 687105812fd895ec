"""Requests as the API takes them: the body as a stream, the head as a value."""

from collections.abc import AsyncGenerator

from msgspec import Struct
from starlette.requests import Request as HttpRequest


class IncomingRequest(HttpRequest):
    """A request with the operation that it calls, and whether its body was read.

    `operation` is the service and its operation, as far as they are known.
    """

    operation = "unknown operation"
    _rest = True

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """See Starlette's `Request.stream`."""
        async for piece in super().stream():
            yield piece
        self._rest = False

    @property
    def has_rest(self) -> bool:
        """Whether there is a body that was not read to its end."""
        declared = self.headers.get("content-length", "0") != "0" or "transfer-encoding" in self.headers
        return self._rest and declared

    @property
    def is_read(self) -> bool:
        """Whether reading of the body has begun."""
        return self._stream_consumed


class AnsweredRequest(Struct, frozen=True):
    """The entry of a request in the request log; of the client's data it has only the operation's name."""

    operation: str
    status: int
    seconds: float


class RequestHead(Struct, frozen=True):
    """A request without its body; header names are lower-case, path and query as they were sent."""

    method: str
    path: str
    query: str
    headers: dict[str, str]


def head_of(request: HttpRequest) -> RequestHead:
    """Return the head of `request`; values of a repeated header are joined by commas."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in request.scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1").strip()
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    path = request.scope.get("raw_path") or request.scope["path"].encode()
    return RequestHead(request.method, path.decode("latin-1"), request.scope["query_string"].decode("latin-1"), headers)
