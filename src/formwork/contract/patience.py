"""Waiting between callbacks: up to a limit it is done, beyond it only counted.

The service waits for as long as a handler asks, up to the handler's timeoutInMinutes: hours. A run that has waited its
share calls again at once and counts the waiting that it skips: a handler that counts its calls comes to its end.
"""

import threading
import time
from collections.abc import Callable


class Patience:
    """The sleep and the clock of a session; `begin` starts a new operation's share.

    `seconds` is how long one operation may really wait; None is for ever, for handlers that wait for the real world.
    Each thread has operations of its own.
    """

    def __init__(
        self,
        seconds: float | None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._share = seconds
        self._sleep = sleep
        self._clock = clock
        self._mine = threading.local()

    def begin(self, *, impatient: bool = False) -> None:
        """A new operation; `impatient`: all of its waiting is only counted, since this handler is known not to end."""
        self._mine.left = 0.0 if impatient and self._share is not None else self._share
        self._mine.began = self._clock()
        self._mine.spent = None if self._mine.left is None else self._mine.began + self._mine.left
        self._mine.has_skipped = False
        self._mine.idle_calls = 0

    def seconds_of_calls(self) -> float:
        """Return the seconds since the operation had its share of waiting; 0 before that."""
        since = getattr(self._mine, "spent", None)
        return 0.0 if since is None else max(0.0, self._clock() - since)

    def real_seconds(self) -> float:
        """Return the seconds that the operation has taken, without those only counted."""
        return self._clock() - float(getattr(self._mine, "began", self._clock()))

    @property
    def has_skipped(self) -> bool:
        """Whether the operation asked for waiting that was only counted."""
        return bool(getattr(self._mine, "has_skipped", False))

    def count_call(self) -> int:
        """Count another call of the operation; gives the number of those since it last really waited."""
        self._mine.idle_calls = getattr(self._mine, "idle_calls", 0) + 1
        return int(self._mine.idle_calls)

    def sleep(self, seconds: float) -> None:
        """Wait, or count it as waited."""
        left = getattr(self._mine, "left", self._share)
        real = seconds if left is None else min(seconds, left)
        if left is not None:
            self._mine.left = left - real
        self._mine.skipped = getattr(self._mine, "skipped", 0.0) + seconds - real
        self._mine.has_skipped = self.has_skipped or real < seconds
        if real > 0:
            self._mine.idle_calls = 0
            self._sleep(real)

    def clock(self) -> float:
        """Return the time, including delays that were counted without waiting."""
        return self._clock() + float(getattr(self._mine, "skipped", 0.0))
