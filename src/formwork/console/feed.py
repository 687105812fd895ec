"""What has changed, for the one stream that each browser has open.

A commit that adds events of stacks is reported within `_GATHER_SECONDS`; what else clients may wait for (a drift
detection, the registration of a type) by the observer of the work, and calls of handlers as they end. Nothing is asked
while no browser listens.
"""

import asyncio
import contextlib
import itertools
import secrets
import threading
from collections.abc import AsyncIterator, Callable

from msgspec import Struct

_GATHER_SECONDS = 0.1  # changes of this time are one message
_ELSEWHERE_SECONDS = 1.0  # between looks for the work of other processes on a shared database
_KEEP_ALIVE_SECONDS = 20.0


class FeedMessage(Struct, frozen=True):
    """The ids of the stacks that have new events, and whether something else has changed.

    `version` is that of the feed at the beginning of a stream; None where it does not say what has changed.
    """

    stacks: tuple[str, ...] = ()
    other: bool = False
    version: str | None = None


# Return the stacks with events after a number, and the number of the latest event.
EventSource = Callable[[int | None], tuple[tuple[str, ...], int]]


class _Listener:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.woken = asyncio.Event()
        self.other = False
        self.called: set[str] = set()  # ARNs of stacks; changed under the feed's lock


class ChangeFeed:
    """Streams of changes; `committed` and `changed` may be called from any thread."""

    def __init__(self) -> None:
        self.shared = False  # whether other processes work on the database too
        self._lock = threading.Lock()
        self._listeners: set[_Listener] = set()
        self._closed = False
        self._server = secrets.token_hex(4)  # a page may outlive its server
        self._numbers = itertools.count(1)
        self._number = 0

    @property
    def version(self) -> str:
        """What differs after each change that is reported; pages contain it, so that they are not made twice."""
        return f"{self._server}.{self._number}"

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return len(self._listeners)

    def committed(self) -> None:
        """Take note that a transaction was committed."""
        self._number = next(self._numbers)
        if self._listeners:  # unlocked: this is called for each transaction of the server
            self._wake(other=False)

    def changed(self) -> None:
        """Take note that a record that clients may wait for has changed."""
        self._number = next(self._numbers)
        if self._listeners:
            self._wake(other=True)

    def called(self, stack_arn: str | None) -> None:
        """Take note that a call of a handler has ended, None for one that is not about a stack."""
        self._number = next(self._numbers)
        if self._listeners and stack_arn is not None:
            with self._lock:
                for each in self._listeners:
                    each.called.add(stack_arn)
            self._wake(other=False)

    def close(self) -> None:
        """End all streams, and begin no others."""
        self._closed = True
        self._wake(other=False)

    def _wake(self, *, other: bool) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for each in listeners:
            each.other = each.other or other
            with contextlib.suppress(RuntimeError):  # the loop has ended, and its streams with it
                each.loop.call_soon_threadsafe(each.woken.set)

    async def messages(self, source: EventSource, account: str | None = None) -> AsyncIterator[FeedMessage | None]:
        """Yield each change, and None where nothing has changed for a while; `account` limits calls of handlers."""
        listener = _Listener(asyncio.get_running_loop())
        with self._lock:
            self._listeners.add(listener)
        try:
            _, latest = await asyncio.to_thread(source, None)
            # It may have changed since the page was made.
            yield FeedMessage(other=True, version=None if self.shared else self.version)
            while not self._closed:
                if not await self._wait(listener):
                    yield None
                    continue
                listener.woken.clear()
                other, listener.other = listener.other, False
                stacks, latest = await asyncio.to_thread(source, latest)
                stacks = tuple(dict.fromkeys((*stacks, *self._take_called(listener, account))))
                if stacks or other:
                    yield FeedMessage(stacks, other)
        finally:
            with self._lock:
                self._listeners.discard(listener)

    def _take_called(self, listener: _Listener, account: str | None) -> list[str]:
        with self._lock:
            arns, listener.called = listener.called, set()
        shown = [each for each in sorted(arns) if account is None or f":{account}:stack/" in each]
        return [each.rpartition("/")[2] for each in shown]

    async def _wait(self, listener: _Listener) -> bool:
        """Wait for a change, or for long enough; return whether there may be one."""
        seconds = _ELSEWHERE_SECONDS if self.shared else _KEEP_ALIVE_SECONDS
        try:
            await asyncio.wait_for(listener.woken.wait(), seconds)
        except TimeoutError:
            return self.shared
        if not self._closed:
            await asyncio.sleep(_GATHER_SECONDS)
        return True
