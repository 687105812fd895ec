"""A line that shows how far a run of the contract suite is, for a person at a terminal."""

import threading
import time
from typing import TextIO

from formwork.command_context.status_line import StatusLine
from formwork.contract_results.run_events import (
    HandlerInvoked,
    RunEvent,
    RunFinished,
    RunStarted,
    TestFinished,
    TestStarted,
)

_INTERVAL = 0.1  # seconds between two looks of the line
_BAR = 20


class TestProgress:
    """Writes one line to `stream` and over it again; `clear` takes it away, as the end of the run does."""

    __test__ = False  # no test class, whatever pytest thinks of its name

    def __init__(self, stream: TextIO, *, colour: bool) -> None:
        self._status = StatusLine(stream, colour=colour)
        self._lock = threading.Lock()
        self._tests = 0
        self._done = 0
        self._calls = 0
        self._running: dict[str, int] = {}  # in the order they began; the inputs of several sets share a name
        self._shown = 0.0

    def receive(self, event: RunEvent) -> None:
        """Show what has happened; a test that is run again, alone, counts once more. At the end nothing is shown."""
        with self._lock:
            match event:
                case RunStarted():
                    self._tests = event.tests
                    return
                case TestStarted():
                    self._running[event.test] = self._running.get(event.test, 0) + 1
                case HandlerInvoked():
                    self._calls += 1
                case TestFinished():
                    self._done += 1
                    self._tests = max(self._tests, self._done)
                    self._running[event.test] -= 1
                    if not self._running[event.test]:
                        del self._running[event.test]
                case RunFinished():
                    self._status.clear()
                    return
                case _:
                    return
            self._show()

    def clear(self) -> None:
        """Leave an empty line for what comes next."""
        with self._lock:
            self._status.clear()

    def _show(self) -> None:
        now = time.monotonic()
        if now - self._shown < _INTERVAL:
            return
        self._shown = now
        self._status.show(self._line())

    def _line(self) -> str:
        full = _BAR * self._done // self._tests if self._tests else 0
        names = list(self._running)
        name = names[-1].removeprefix("contract_") if names else ""
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        bar = "█" * full + "░" * (_BAR - full)
        return f"{bar} {self._done}/{self._tests} tests, {self._calls} invocations  {name}{more}"
