"""Waiting between callbacks: really at first, then only on paper.

The service waits for as long as a handler asks, up to the handler's timeoutInMinutes: hours. A run that has waited its
share goes on calling at once and counts the waiting that it skips, so that an operation that never ends is told from
a slow one by the contract's own measure, in seconds.
"""

import time
from collections.abc import Callable


class Patience:
    """The sleep and the clock of a session; `begin` starts a new operation's share.

    `seconds` is how long one operation may really wait; None is for ever, for handlers that wait for the real world.
    """

    def __init__(
        self,
        seconds: float | None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._share = seconds
        self._left = seconds
        self._sleep = sleep
        self._clock = clock
        self._skipped = 0.0

    def begin(self, *, impatient: bool = False) -> None:
        """A new operation; `impatient` waits on paper only: this handler is known not to end."""
        self._left = 0.0 if impatient and self._share is not None else self._share

    def sleep(self, seconds: float) -> None:
        """Wait, or count it as waited."""
        real = seconds if self._left is None else min(seconds, self._left)
        if real > 0:
            self._sleep(real)
        if self._left is not None:
            self._left -= real
        self._skipped += seconds - real

    def clock(self) -> float:
        """The time, with what was only counted."""
        return self._clock() + self._skipped
