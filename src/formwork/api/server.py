"""The HTTP server: an application served by uvicorn in a thread."""

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from formwork.api.connections import hear_accept_errors, make_protocol
from formwork.diagnostics import EnvironmentProblemError, UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

# Clients keep connections for reuse; one that closes under a request costs them a retry.
_KEEP_ALIVE_SECONDS = 75
# How long requests on their way may take when the server ends.
_GRACE_SECONDS = 3


class ApiServer:
    """Listens from its construction on; answers from `start` to `close`."""

    def __init__(self, *, host: str, port: int, on_problem: Callable[[str], None] = lambda _text: None) -> None:
        """Listen on host and port (0 picks one); `on_problem` gets the reason when connections can't be accepted.

        Raises:
            EnvironmentProblemError: the port is in use, or can't be listened on.
            UsageError: `port` is not a port.
        """
        if not 0 <= port < 65536:
            raise UsageError(f"{port} is not a port", hint="1 to 65535, or 0 for a free one")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family, backlog=512)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise EnvironmentProblemError(
                f"can't listen on {host} port {port}: {reason}",
                hint="choose another port with --port N (0 picks a free one), or end what listens there",
            ) from error
        name = f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self._socket.getsockname()[1]}"
        self._on_problem = on_problem
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self, app: "ASGIApp") -> None:
        """Start to answer with `app`; clients that connect before that wait."""
        config = uvicorn.Config(
            app,
            http=make_protocol(),
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        server = self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, args=(server,), name="api", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, give requests in progress a moment to end, and close their connections."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()
        with contextlib.suppress(OSError):
            self._socket.close()

    def _run(self, server: uvicorn.Server) -> None:
        async def serve() -> None:
            hear_accept_errors(asyncio.get_running_loop(), self._on_problem)
            await server.serve(sockets=[self._socket])

        asyncio.run(serve())
