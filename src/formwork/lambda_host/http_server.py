"""A threaded HTTP server around a function from request to response, with one thread per connection."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable

from formwork.lambda_host.http_connection import BadRequestError, ServerConnection
from formwork.lambda_host.http_messages import Request, Response
from formwork.request_guard import RequestGuard

_BLOCK = 64 * 1024


class HttpServer:
    """Serves `respond` on host and port (0 picks one) from its construction until `close`.

    `respond` runs in the connection's thread and may block. What it raises is passed to `on_error`, answered with 500,
    and closes that connection. Requests that `guard` refuses never reach it.
    """

    def __init__(  # noqa: PLR0913 - settings of a server
        self,
        respond: Callable[[Request], Response],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        max_body: int,
        idle_seconds: float | None = None,
        max_connections: int = 256,
        guard: RequestGuard | None = None,
        on_error: Callable[[Exception], None] = lambda _error: None,
        listener: socket.socket | None = None,
    ) -> None:
        """Idle connections close after `idle_seconds`; a `listener` that is given takes the place of host and port.

        Raises:
            OSError: host and port can't be listened on.
        """
        self._respond = respond
        self._max_body = max_body
        self._idle = idle_seconds
        self._guard = guard or RequestGuard()
        self._on_error = on_error
        self._slots = threading.BoundedSemaphore(max_connections)
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._closed = False
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = listener or socket.create_server((host, port), family=family, backlog=128)
        self.host = host
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, name=f"http-{self.port}", daemon=True).start()

    @property
    def address(self) -> str:
        """`host:port`."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def close(self) -> None:
        """Stop listening and shut down every connection."""
        with self._lock:
            self._closed = True
            connections = list(self._connections)
        self._wake()
        self._listener.close()
        for each in connections:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _wake(self) -> None:
        """End a waiting accept(): on some systems closing alone does not."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)  # enough on Linux
        except OSError:
            with contextlib.suppress(OSError):
                socket.create_connection((self.host, self.port), timeout=1).close()

    def _accept(self) -> None:
        while True:
            self._slots.acquire()
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            with self._lock:
                if self._closed:
                    connection.close()
                    return
                self._connections.add(connection)
            threading.Thread(target=self._serve, args=(connection,), name="http-connection", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(self._idle)
            served = ServerConnection(lambda: connection.recv(_BLOCK), connection.sendall, max_body=self._max_body)
            while self._exchange(served, connection.getsockname()[0]):
                pass
        except OSError:
            pass  # the client went away
        finally:
            with self._lock:
                self._connections.discard(connection)
            connection.close()
            self._slots.release()

    def _exchange(self, connection: ServerConnection, address: str) -> bool:
        """Serve one request to the local `address`; return whether another may follow."""
        try:
            request = connection.read_request()
        except BadRequestError as error:
            connection.send_response(Response(error.status, json.dumps({"message": str(error)}).encode()), close=True)
            return False
        if request is None:
            return False
        refusal = self._guard.refusal(request.headers, address=address)
        failed = False
        try:
            response = self._respond(request) if refusal is None else _refused(refusal)
        except Exception as error:  # noqa: BLE001 - the boundary of a connection: the server outlives a bug in one answer
            self._on_error(error)
            response, failed = Response(500, b'{"message": "internal error"}'), True
        connection.send_response(response, close=failed)
        return connection.reusable


def _refused(message: str) -> Response:
    """Return the answer to a request that the guard refuses, in the form of AWS's JSON services."""
    body = json.dumps({"__type": "AccessDeniedException", "message": message}).encode()
    return Response(403, body, {"x-amzn-ErrorType": "AccessDeniedException"})
