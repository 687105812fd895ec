"""The connection to the client: messages read by a thread of their own, written one at a time."""

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from formwork.editor.protocol.wire import (
    BrokenStreamError,
    ClientNotification,
    ClientRequest,
    ErrorCode,
    Message,
    ProtocolError,
    read_message,
    render_message,
)


class ClientLink:
    """Reads the client's messages ahead of the work, so that a cancelled request that still waits is never begun."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._writing = threading.Lock()
        self._cancelled: set[int | str] = set()
        self._waiting: set[int | str] = set()
        self._guard = threading.Lock()
        self._sent = 0
        self._open = True

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="lsp-reader", daemon=True).start()

    def next(self) -> Message | None:
        """Return the next message, waiting for it; None at the end of the stream."""
        return self._messages.get()

    def is_cancelled(self, identity: int | str) -> bool:
        """Return whether the client has taken a request back."""
        return identity in self._cancelled

    def respond(self, identity: int | str | None, result: Any) -> None:
        """Answer a request."""
        self._finish(identity)
        self._write({"id": identity, "result": result})

    def refuse(self, identity: int | str | None, error: ProtocolError) -> None:
        """Answer a request, or a message that is not one, with an error."""
        self._finish(identity)
        self._write({"id": identity, "error": {"code": int(error.code), "message": str(error)}})

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._write({"method": method, "params": params})

    def ask(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a request whose answer does not matter."""
        with self._guard:
            self._sent += 1
            identity = f"formwork-{self._sent}"
        self._write({"id": identity, "method": method, "params": params})

    def _read(self) -> None:
        try:
            with self._incoming:
                while (message := read_message(self._incoming)) is not None:
                    self._receive(message)
        except (BrokenStreamError, OSError, ValueError):  # a ValueError where the stream was closed
            pass
        self._messages.put(None)

    def _receive(self, message: Message) -> None:
        if isinstance(message, ClientNotification) and message.method == "$/cancelRequest":
            self._cancel(message.params)
            return
        if isinstance(message, ClientRequest):
            with self._guard:
                self._waiting.add(message.id)
        self._messages.put(message)

    def _cancel(self, params: Any) -> None:
        identity = params.get("id") if isinstance(params, dict) else None
        with self._guard:
            if isinstance(identity, int | str) and identity in self._waiting:
                self._cancelled.add(identity)

    def _finish(self, identity: int | str | None) -> None:
        if identity is not None:
            with self._guard:
                self._waiting.discard(identity)
                self._cancelled.discard(identity)

    def _write(self, value: Mapping[str, Any]) -> None:
        data = render_message(value)
        with self._writing:
            if not self._open:
                return
            try:
                self._outgoing.write(data)
                self._outgoing.flush()
            except (OSError, ValueError):  # the client went away: the reader sees the end
                self._open = False


def cancelled(link: ClientLink, identity: int | str) -> Callable[[], None]:
    """Return what a long answer calls now and then.

    It raises ProtocolError once the client has taken the request back.
    """

    def check() -> None:
        if link.is_cancelled(identity):
            raise ProtocolError(ErrorCode.CANCELLED, "cancelled")

    return check
