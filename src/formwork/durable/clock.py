"""The time by which work is due: the clock's when the process starts, and from then on what has really passed.

Somebody who sets the clock of the machine, by an hour or a day, neither holds up what waits nor ends it early.
"""

import time


class SteadyClock:
    """Seconds since the epoch that only ever go forward, at the pace of real time."""

    def __init__(self, latest: float = 0.0) -> None:
        """Never before `latest`, which an earlier process has written: the clock may have been set back since."""
        self._start = max(time.time(), latest) - _elapsed()

    def __call__(self) -> float:
        """The time of now."""
        return self._start + _elapsed()


def _elapsed() -> float:
    """Seconds since some moment; those in which the machine was suspended count too, where that can be told."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)
