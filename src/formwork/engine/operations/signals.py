"""Steps that end tell those who wait for them in this process."""

import queue
import threading

from formwork.engine.store.records import StepState

Ended = tuple[str, StepState]  # logical id, how it ended


class Signals:
    """One queue of ended steps a phase that somebody waits for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[tuple[str, str], queue.SimpleQueue[Ended]] = {}

    def listen(self, operation_id: str, phase: str) -> "queue.SimpleQueue[Ended]":
        """From now on every step of the phase that ends in this process comes into the queue."""
        with self._lock:
            return self._waiting.setdefault((operation_id, phase), queue.SimpleQueue())

    def forget(self, operation_id: str, phase: str) -> None:
        """Nobody waits any more."""
        with self._lock:
            self._waiting.pop((operation_id, phase), None)

    def tell(self, operation_id: str, phase: str, logical_id: str, state: StepState) -> None:
        """A step has ended."""
        with self._lock:
            waiting = self._waiting.get((operation_id, phase))
        if waiting is not None:
            waiting.put((logical_id, state))
