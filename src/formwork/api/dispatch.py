"""Which function answers which operation, once there is one: the registry and the engine start behind the socket."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.caller import Caller

# From the operation's input to its output, both in the shapes of botocore's model. It raises ApiError for what AWS
# answers with an error. It runs in a thread of its own, and may block.
Handler = Callable[[Caller, Mapping[str, Any]], Mapping[str, Any]]

# (botocore's name of the service, operation) to what answers it.
OperationTable = Mapping[tuple[str, str], Handler]


class LateTable:
    """A table that `make` makes in a thread of its own, from the first `begin` on; whoever needs it waits."""

    def __init__(self, make: Callable[[], OperationTable]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._done = threading.Event()
        self._table: OperationTable = {}
        self._error: Exception | None = None

    @property
    def error(self) -> Exception | None:
        """Why there is no table and never will be."""
        return self._error

    def begin(self) -> None:
        """Start making it, unless somebody did."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="operations", daemon=True)
                self._thread.start()

    def settled(self, seconds: float) -> bool:
        """Wait so long at most; whether it is made or failed, or was never begun."""
        return self._thread is None or self._done.wait(seconds)

    def expect(self) -> OperationTable:
        """The table, as soon as it is there.

        Raises:
            Exception: what `make` raised.
        """
        self.begin()
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._table

    def close(self) -> None:
        """Wait until what was begun is done; nothing begins any more."""
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
        except Exception as error:  # noqa: BLE001 - told to everybody who asks
            self._error = error
        finally:
            self._done.set()
