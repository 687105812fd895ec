"""Deletes workflows some time after their end, so that the database does not grow without bound.

Nothing reads them again: what clients see of operations is in tables of its own, and a workflow is started once.
Those that run or wait are never deleted, however long they take.

They are kept for a day, so that a user who looks for a fault still finds what was done. At most 200 are deleted at a
time, so that writers need not wait long.
"""

import contextlib
import threading
import time

from formwork.durable.workflow_rows import WorkflowRows

DAY = 24 * 3600.0
_FIRST_SECONDS = 20.0  # servers that live for minutes prune too
_EVERY_SECONDS = 600.0
# At a time: writers wait meanwhile.
_MOST = 200


class Pruning:
    """Deletes workflows that ended `keep_seconds` ago, every ten minutes, on a thread of its own."""

    def __init__(self, rows: WorkflowRows, *, keep_seconds: float = DAY) -> None:
        self._rows = rows
        self._keep_seconds = keep_seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, name="pruning", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread; wait for a deletion that is under way."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def prune(self) -> int:
        """Delete the workflows that ended long enough ago; return how many."""
        before = time.time() - self._keep_seconds
        number = 0
        while not self._stop.is_set() and (deleted := self._rows.forget(before, _MOST)):
            number += deleted
        return number

    def _live(self) -> None:
        wait = _FIRST_SECONDS
        while not self._stop.wait(wait):
            wait = _EVERY_SECONDS
            # the database may be out of reach for a while; the next round tries again
            with contextlib.suppress(Exception):
                self.prune()
