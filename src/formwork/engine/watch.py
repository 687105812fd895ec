"""Waiting inside a process for what another thread of it writes to the store."""

import threading
import time
from collections.abc import Callable


class Watch:
    """Rung by whoever has changed something that somebody may wait for."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    def ring(self) -> None:
        """Something has changed: look again."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait(self, ready: Callable[[], bool], seconds: float, *, look_again: float = 1.0) -> bool:
        """Whether `ready` came true within some seconds.

        It is asked again whenever the bell is rung, and every `look_again` seconds: what another process has changed
        rings no bell here.
        """
        end = time.monotonic() + seconds
        while True:
            with self._changed:
                seen = self._count
            if ready():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            self._wait_beyond(seen, min(left, look_again))

    def _wait_beyond(self, count: int, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._count != count, seconds)
