"""Tables from operations to their handlers; the registry's and the engine's start while the socket listens."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.caller import Caller

# From an operation's input to its output, both in the shapes of botocore's model. A handler raises ApiError for what
# AWS answers with an error; it runs in a thread and may block.
Handler = Callable[[Caller, Mapping[str, Any]], Mapping[str, Any]]

# (botocore's name of the service, operation) to handler.
OperationTable = Mapping[tuple[str, str], Handler]


class LazyOperationTable:
    """An operation table that `make` builds in a thread, started by the first `begin`; `expect` waits for it."""

    def __init__(self, make: Callable[[], OperationTable]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._done = threading.Event()
        self._table: OperationTable = {}
        self._error: Exception | None = None

    @property
    def error(self) -> Exception | None:
        """The exception with which `make` ended, None if it has not."""
        return self._error

    def begin(self) -> None:
        """Start making it, where that has not begun."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="operations", daemon=True)
                self._thread.start()

    def settled(self, seconds: float) -> bool:
        """Wait at most so long; return whether it is made or has failed, or was never begun."""
        return self._thread is None or self._done.wait(seconds)

    def expect(self) -> OperationTable:
        """Wait for the table and return it.

        Raises:
            Exception: what `make` raised.
        """
        self.begin()
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._table

    def close(self) -> None:
        """Wait until `make` ends, where it has begun; it can't begin after that."""
        with self._lock:
            thread = self._thread
            if thread is None:
                self._thread = threading.current_thread()
                self._error = RuntimeError("the server ends")
                self._done.set()
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        try:
            self._table = self._make()
        except Exception as error:  # noqa: BLE001 - raised to every caller of `expect`
            self._error = error
        finally:
            self._done.set()
