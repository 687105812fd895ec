"""The server's side of an HTTP/1.1 connection: h11, with blocking calls and bounds on what a client may send.

The standard library's http.server reads no chunked bodies, which Go's and Java's runtime clients send.
"""

import http
from collections.abc import Callable, Iterable, Mapping

import h11

from formwork.lambda_host.http_messages import Request, Response

MAX_HEADER_BYTES = 64 * 1024
MAX_HEADERS = 200
# How much of a body that is too large is read and dropped, so that the client receives the answer and not a reset.
DRAIN_BYTES = 64 * 1024 * 1024
_VERSIONS = (b"1.0", b"1.1")
_CONTINUE = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")


class BadRequestError(Exception):
    """The client sent something that can't be served; answer with `status` and close."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class ServerConnection:
    """Reads requests and sends responses, one after the other, over a transport of two functions.

    `receive` waits for data and returns it, b"" at the end of the stream; `send` sends all of its argument.
    """

    def __init__(self, receive: Callable[[], bytes], send: Callable[[bytes], None], *, max_body: int) -> None:
        """Bodies over `max_body` bytes are dropped."""
        self._receive = receive
        self._send = send
        self._max_body = max_body
        self._protocol = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEADER_BYTES)
        self._method = b""

    @property
    def reusable(self) -> bool:
        """Whether another request may follow the response that was sent."""
        return self._protocol.states == {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE}

    def read_request(self) -> Request | None:
        """Wait for the next request; None at the end of the connection.

        A client that waits for `100 Continue` before it sends the body is sent it.

        Raises:
            BadRequestError: it is not HTTP, or over the bounds.
            OSError: the connection broke.
        """
        try:
            if self.reusable:
                self._protocol.start_next_cycle()
            head = self._next_event()
            if isinstance(head, h11.ConnectionClosed):
                return None
            assert isinstance(head, h11.Request)
            headers = _check_head(head)
            body = self._read_body(headers)
        except h11.RemoteProtocolError as error:
            raise BadRequestError(error.error_status_hint, f"not a valid HTTP/1.1 request: {error}") from error
        self._method = bytes(head.method)
        path, _, query = head.target.decode("latin-1").partition("?")
        return Request(head.method.decode(), path, query, headers, body or b"", too_large=body is None)

    def send_response(self, response: Response, *, close: bool = False) -> None:
        """Send a response at once; with `close` it is the last one.

        Raises:
            OSError: the connection broke.
        """
        headers = dict(response.headers)
        if response.status != http.HTTPStatus.NO_CONTENT:
            headers |= {"Content-Type": response.content_type, "Content-Length": str(len(response.body))}
        data = self._head(response.status, _reason(response), headers.items(), close=close)
        if response.body and self._method != b"HEAD":
            data += self._protocol.send(h11.Data(data=response.body))
        self._send(data + self._protocol.send(h11.EndOfMessage()))

    def send_stream(
        self, status: int, reason: str, headers: Iterable[tuple[str, str]], blocks: Iterable[bytes]
    ) -> None:
        """Send a response block by block: in chunks, where the headers have no Content-Length.

        Raises:
            OSError: the connection broke.
            h11.LocalProtocolError: a header is malformed, or the blocks are not as long as Content-Length says.
        """
        self._send(self._head(status, reason, headers))
        for block in blocks:
            self._send(self._protocol.send(h11.Data(data=block)))
        self._send(self._protocol.send(h11.EndOfMessage()))

    def _head(self, status: int, reason: str, headers: Iterable[tuple[str, str]], *, close: bool = False) -> bytes:
        encoded = [(_encode(name), _encode(value.strip())) for name, value in headers]
        if close:
            encoded.append((b"Connection", b"close"))
        return self._protocol.send(h11.Response(status_code=status, reason=_encode(reason), headers=encoded))

    def _next_event(self) -> object:
        while (event := self._protocol.next_event()) is h11.NEED_DATA:
            if self._protocol.they_are_waiting_for_100_continue:
                self._send(self._protocol.send(_CONTINUE))
            self._protocol.receive_data(self._receive())
        return event

    def _read_body(self, headers: Mapping[str, str]) -> bytes | None:
        """Read the body to its end; None where it is too large."""
        most = max(DRAIN_BYTES, self._max_body)
        if int(headers.get("content-length", 0)) > most:
            raise BadRequestError(413, "the body is too large")
        body = bytearray()
        total = 0
        while isinstance(event := self._next_event(), h11.Data):
            total += len(event.data)
            if total > most:
                raise BadRequestError(413, "the body is too large")
            if total <= self._max_body:
                body += event.data
        return bytes(body) if total <= self._max_body else None


def _check_head(head: h11.Request) -> dict[str, str]:
    """Return the headers; those of one name are joined by commas."""
    if head.http_version not in _VERSIONS:
        raise BadRequestError(505, "the version of HTTP is not 1.0 or 1.1")
    if len(head.headers) > MAX_HEADERS:
        raise BadRequestError(431, f"the request has more than {MAX_HEADERS} headers")
    if len(head.target) + sum(len(name) + len(value) for name, value in head.headers) > MAX_HEADER_BYTES:
        raise BadRequestError(431, f"the head of the request is longer than {MAX_HEADER_BYTES} bytes")
    headers: dict[str, str] = {}
    for raw_name, raw_value in head.headers:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    if "transfer-encoding" in headers and "content-length" in headers:  # one of them may have been smuggled in
        raise BadRequestError(400, "the request has both Content-Length and Transfer-Encoding")
    return headers


def _reason(response: Response) -> str:
    if response.reason is not None:
        return response.reason
    try:
        return http.HTTPStatus(response.status).phrase
    except ValueError:
        return "Unknown"


def _encode(text: str) -> bytes:
    return text.encode("latin-1", "replace")
