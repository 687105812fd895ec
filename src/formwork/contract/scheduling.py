"""Taking turns: of the tests in progress one runs at a time, and others while it waits.

A test gives up its turn where it waits for a callback's delay, and, where invocations may overlap, for an answer. What
the suite knows is touched only by the test whose turn it is, so that nothing of it needs a lock.
"""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from formwork.contract.recording import StopTestError
from formwork.invoke import Answer, HandlerTransport


class TurnScheduler:
    """Grants turns to threads, first come, first served. A thread without a turn waits without releasing one."""

    def __init__(self, *, sleep: Callable[[float], None] | None = None, lent_after: float = 3.0) -> None:
        """`sleep` is how to wait; by default really, and no longer than until `stop`.

        `lent_after` is after how many seconds in `lending` another thread may take the turn.
        """
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._turn: object | None = None  # whose turn it is: the ticket it was granted for
        self._lent_after = lent_after
        self._lent_from: float | None = None  # from when on another thread may take the turn
        self._mine = threading.local()
        self._stop = threading.Event()
        self._sleep = sleep or self._wait

    def take(self) -> None:
        """Wait for a turn."""
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            while self._queue[0] is not ticket or not self._is_free():
                self._changed.wait(self._until_lent() if self._queue[0] is ticket else None)
            self._queue.popleft()
            self._turn, self._lent_from = ticket, None
            self._changed.notify_all()  # another one is the first in the queue
        self._mine.turn = True

    def _is_free(self) -> bool:
        return self._turn is None or (self._lent_from is not None and time.monotonic() >= self._lent_from)

    def _until_lent(self) -> float:
        """Return the seconds after which to look again: beginning to lend a turn notifies no thread, to be fast."""
        return self._lent_after if self._lent_from is None else max(self._lent_from - time.monotonic(), 0.0)

    def give(self) -> None:
        """End this thread's turn."""
        self._mine.turn = False
        with self._changed:
            self._turn = None
            self._changed.notify_all()

    def inherit(self) -> None:
        """Take over the turn that another thread took for this one."""
        self._mine.turn = True

    def bequeath(self) -> None:
        """Hand this thread's turn over to a thread that is about to start."""
        self._mine.turn = False

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """While the thread waits for something: others have their turns.

        Raises:
            StopTestError: the run was stopped meanwhile; said once to each thread, so that it can clean up.
        """
        if not getattr(self._mine, "turn", False):
            yield
            return
        self.give()
        try:
            yield
        finally:
            self.take()
        self._tell_stop()

    @contextlib.contextmanager
    def lending(self) -> Iterator[None]:
        """While the thread waits for something that is mostly fast: others have their turns where it takes long.

        Raises:
            StopTestError: as `away` does, where another thread had its turn.
        """
        if not getattr(self._mine, "turn", False):
            yield
            return
        mine, self._lent_from = self._turn, time.monotonic() + self._lent_after
        try:
            yield
        finally:
            with self._changed:
                if kept := self._turn is mine:
                    self._lent_from = None
            if not kept:
                self.take()
        if not kept:
            self._tell_stop()

    def _tell_stop(self) -> None:
        if self._stop.is_set() and not getattr(self._mine, "told", False):
            self._mine.told = True
            raise StopTestError("the run was stopped")

    @contextlib.contextmanager
    def stoppable(self) -> Iterator[None]:
        """Make the block stoppable: `stop` ends this thread's work inside it, but not its clean-up afterwards."""
        self._mine.told = False
        try:
            yield
        finally:
            self._mine.told = True

    def sleep(self, seconds: float) -> None:
        """Wait, while others have their turns."""
        with self.away():
            self._sleep(seconds)

    def stop(self) -> None:
        """Make every test end and clean up the next time that it waits."""
        self._stop.set()

    def _wait(self, seconds: float) -> None:
        if getattr(self._mine, "told", False) or not self._stop.is_set():
            # Cleaning up after a stop waits as ever: what is to be deleted takes its time.
            (time.sleep if self._stop.is_set() else self._stop.wait)(seconds)


class YieldingTransport:
    """One invocation at a time, but for those that take long: while they are waited for, others have their turns.

    `limit` is how many may be in progress at a time.
    """

    def __init__(self, transport: HandlerTransport, turns: TurnScheduler, *, limit: int = 4) -> None:
        self._transport = transport
        self._turns = turns
        self._free = threading.Semaphore(limit)

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke; see HandlerTransport."""
        if not self._free.acquire(blocking=False):
            with self._turns.away():
                self._free.acquire()
        try:
            with self._turns.lending():
                return self._transport.invoke(payload, timeout=timeout)
        finally:
            self._free.release()


class OverlappingTransport:
    """Invocations of several tests at the same time, at most `limit`."""

    def __init__(self, transport: HandlerTransport, turns: TurnScheduler, *, limit: int) -> None:
        self._transport = transport
        self._turns = turns
        self._free = threading.Semaphore(limit)

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke, while other tests have their turns; see HandlerTransport."""
        with self._turns.away(), self._free:
            return self._transport.invoke(payload, timeout=timeout)
