"""What DBOS remembers of workflows that have ended is forgotten after a while, so that a database stays bounded.

Nothing asks for it again: what clients see of operations stands in our own tables, and a workflow is started once.
Those that run or wait are never touched, however long they take.
"""

import contextlib
import threading
import time
from datetime import UTC, datetime
from typing import Any

DAY = 24 * 3600.0
_FIRST_SECONDS = 20.0  # servers that live for minutes prune too
_EVERY_SECONDS = 600.0
# At a time: writers wait meanwhile.
_MOST = 200
_ENDED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]


class Pruning:
    """Forgets workflows that ended `keep_seconds` ago, now and then, on a thread of its own."""

    def __init__(self, dbos: Any, *, keep_seconds: float = DAY) -> None:
        """`dbos` is the launched DBOS class."""
        self._dbos = dbos
        self._keep_seconds = keep_seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, name="pruning", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; waits for what is under way."""
        self._stop.set()
        self._thread.join(10)

    def prune(self) -> int:
        """Forget what has ended long ago; how many workflows that were."""
        before = datetime.fromtimestamp(time.time() - self._keep_seconds, UTC).isoformat()
        number = 0
        while not self._stop.is_set():
            found = self._dbos.list_workflows(
                status=_ENDED, completed_before=before, limit=_MOST, load_input=False, load_output=False
            )
            if not found:
                break
            self._dbos.delete_workflows([each.workflow_id for each in found])
            number += len(found)
        return number

    def _live(self) -> None:
        wait = _FIRST_SECONDS
        while not self._stop.wait(wait):
            wait = _EVERY_SECONDS
            with contextlib.suppress(Exception):  # the database may be away for a while; the next time tries again
                self.prune()
