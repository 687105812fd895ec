"""Work that is done when its cause has been quiet for a moment, on a thread of its own."""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Debouncer(Generic[K]):
    """Calls `work(key)` once `quiet` seconds have passed since the last `want(key)`, after `most` at the latest.

    One call at a time; keys that are wanted again while they are worked on are worked on again.
    """

    def __init__(self, work: Callable[[K], None], *, quiet: float, most: float) -> None:
        self._work = work
        self._quiet = quiet
        self._most = most
        self._due: dict[K, tuple[float, float]] = {}  # key → when it was wanted first, and last
        self._changed = threading.Condition()
        self._ended = False

    def start(self) -> None:
        """Begin to work."""
        threading.Thread(target=self._run, name="lsp-checks", daemon=True).start()

    def want(self, key: K, *, at_once: bool = False) -> None:
        """Have `key` worked on, soon or at once."""
        now = time.monotonic()
        with self._changed:
            first, _ = self._due.get(key, (now, now))
            self._due[key] = (first, now - self._quiet if at_once else now)
            self._changed.notify_all()

    def is_wanted(self, key: K) -> bool:
        """Return whether `key` is to be worked on again."""
        with self._changed:
            return key in self._due

    def end(self) -> None:
        """Work on nothing more."""
        with self._changed:
            self._ended = True
            self._due.clear()
            self._changed.notify_all()

    def _run(self) -> None:
        while (key := self._next()) is not None:
            self._work(key)

    def _next(self) -> K | None:
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                times = {key: min(last + self._quiet, first + self._most) for key, (first, last) in self._due.items()}
                key = min(times, key=times.__getitem__, default=None)
                if key is not None and times[key] <= now:
                    del self._due[key]
                    return key
                self._changed.wait(None if key is None else times[key] - now)
        return None
