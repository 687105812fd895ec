"""Taking turns: of the tests in progress one runs at a time, and others while it waits.

A test gives up its turn where it waits for a callback's delay, and, where invocations may overlap, for an answer. What
the suite knows is touched only by the test whose turn it is, so that nothing of it needs a lock.
"""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from typing import Any

from formwork.contract.recording import StopTestError
from formwork.invoke import Answer, HandlerTransport


class TurnScheduler:
    """Grants turns to threads, first come, first served. A thread without a turn waits without releasing one."""

    def __init__(self, *, sleep: Callable[[float], None] | None = None) -> None:
        """`sleep` is how to wait; by default really, and no longer than until `stop`."""
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._taken = False
        self._mine = threading.local()
        self._stop = threading.Event()
        self._sleep = sleep or self._wait

    def take(self) -> None:
        """Wait for a turn."""
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            while self._taken or self._queue[0] is not ticket:
                self._changed.wait()
            self._queue.popleft()
            self._taken = True
        self._mine.turn = True

    def give(self) -> None:
        """End this thread's turn."""
        self._mine.turn = False
        with self._changed:
            self._taken = False
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

    `seconds` is how long an invocation keeps the turn, `limit` how many may be in progress at a time.
    """

    def __init__(
        self, transport: HandlerTransport, turns: TurnScheduler, *, seconds: float = 3.0, limit: int = 4
    ) -> None:
        self._transport = transport
        self._turns = turns
        self._seconds = seconds
        self._free = threading.Semaphore(limit)

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke; see HandlerTransport."""
        if not self._free.acquire(blocking=False):
            with self._turns.away():
                self._free.acquire()
        future: Future[Answer] = Future()
        threading.Thread(target=self._answer, args=(future, payload, timeout), daemon=True).start()
        wait([future], self._seconds)
        if not future.done():
            with self._turns.away():
                wait([future])
        return future.result()

    def _answer(self, future: Future[Answer], payload: Mapping[str, Any], timeout: float | None) -> None:
        try:
            future.set_result(self._transport.invoke(payload, timeout=timeout))
        except BaseException as error:  # noqa: BLE001 - the thread that waits for the answer gets it
            future.set_exception(error)
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
