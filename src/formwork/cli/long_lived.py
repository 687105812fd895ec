"""What commands need that run until a signal ends them."""

import contextlib
import gc
import queue
import signal
from collections.abc import Iterator

from formwork.cli.interrupts import ENDING

_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # `entry` has more, for a start


def keep_memory_flat() -> None:
    """Have the garbage collector leave out what the start made, which stays, and look at what comes more often."""
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


class StopRequest:
    """A request to stop: made by a handler of signals, and waited for by the main thread."""

    def __init__(self) -> None:
        self._made = False
        # Python documents that its `put` may interrupt its `get`.
        self._news: queue.SimpleQueue[None] = queue.SimpleQueue()

    def make(self) -> None:
        """Make it; any number of times, in a handler of signals too."""
        self._made = True
        self._news.put(None)

    @property
    def made(self) -> bool:
        """Whether it was made."""
        return self._made

    def wait(self, seconds: float) -> bool:
        """Wait until it is made, at most so long; return whether it was."""
        if not self._made:
            with contextlib.suppress(queue.Empty):
                self._news.get(timeout=seconds)
        return self._made


@contextlib.contextmanager
def stop_requests() -> Iterator[StopRequest]:
    """Have SIGTERM, SIGHUP and SIGQUIT, as far as they are not ignored, make a request until the end of the block."""
    stop = StopRequest()
    heeded = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda _number, _frame: stop.make()) for number in heeded}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
