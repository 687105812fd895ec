"""The console's application, imported and built when the first request arrives."""

import asyncio
import threading
from typing import TYPE_CHECKING

from formwork.console.parts import ConsoleParts

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from formwork.console.app import ConsoleApp


class LazyConsole:
    """An ASGI application that becomes the console's with its first request."""

    def __init__(self, parts: ConsoleParts) -> None:
        self._parts = parts
        self._lock = threading.Lock()
        self._app: ConsoleApp | None = None

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        app = self._app if self._app is not None else await asyncio.to_thread(self._build)
        await app(scope, receive, send)

    def _build(self) -> "ConsoleApp":
        from formwork.console.app import ConsoleApp  # noqa: PLC0415 - 60 ms with the templates' engine

        with self._lock:
            if self._app is None:
                self._app = ConsoleApp(self._parts)
            return self._app
