"""A line that shows how far a run of the contract suite is, for a person at a terminal."""

import threading
import time
from typing import TextIO

from formwork.cli.status_line import StatusLine
from formwork.contract.plugin import Watch
from formwork.invoke import Exchange

_INTERVAL = 0.1  # seconds between two looks of the line
_BAR = 20


class TestProgress(Watch):
    """Writes one line to `stream` and over it again; `clear` takes it away."""

    __test__ = False  # no test class, whatever pytest thinks of its name

    def __init__(self, stream: TextIO, *, colour: bool) -> None:
        self._status = StatusLine(stream, colour=colour)
        self._lock = threading.Lock()
        self._tests = 0
        self._done = 0
        self._calls = 0
        self._running: dict[str, int] = {}  # in the order they began; the inputs of several sets share a name
        self._shown = 0.0

    def expect(self, tests: int) -> None:
        """So many tests are going to run."""
        self._tests = tests

    def begin(self, test: str) -> None:
        """A test begins."""
        with self._lock:
            self._running[test] = self._running.get(test, 0) + 1
            self._show()

    def exchange(self, action: str, exchange: Exchange) -> None:
        """A handler has answered."""
        del action, exchange
        with self._lock:
            self._calls += 1
            self._show()

    def end(self, test: str) -> None:
        """A test has ended; one that is run again, alone, counts once more."""
        with self._lock:
            self._done += 1
            self._tests = max(self._tests, self._done)
            self._running[test] -= 1
            if not self._running[test]:
                del self._running[test]
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
