"""Heartbeats: each worker writes one regularly; a worker that finds another's overdue releases its workflows.

Times are the database's where several machines share it, so that their clocks need not agree. A worker that is
declared dead but lives (a machine that was suspended) can no longer write to what others have taken over: see
`Work.check` and the engine's owner of an operation.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from formwork.durable.database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection, TextClause

_DATABASE_TIME = "extract(epoch FROM clock_timestamp())"


class Heartbeat:
    """The heartbeat of one executor, which also releases the workflows of executors whose heartbeat has stopped."""

    def __init__(
        self,
        database: Database,
        executor: str,
        *,
        beat_seconds: float,
        dead_seconds: float,
    ) -> None:
        self._database = database
        self._executor = executor
        self._beat_seconds = beat_seconds
        self._dead_seconds = dead_seconds
        self._revive: Callable[[], None] = lambda: None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, name="heartbeat", daemon=True)

    def start(self, revive: Callable[[], None]) -> None:
        """Write the first heartbeat, release the workflows of dead executors, then keep beating on a thread.

        `revive` is called each time dead executors were found, to start the work that they recorded but never started.
        """
        self.take_over()
        self._revive = revive
        self._thread.start()

    def stop(self, *, leaves_work: bool) -> None:
        """Stop beating; an executor that `leaves_work` counts as dead at once, the row of any other is deleted."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(10)
        statement = "UPDATE worker SET seen = 0 WHERE id = :id" if leaves_work else "DELETE FROM worker WHERE id = :id"
        # else it is found dead later, when its heartbeat is overdue
        with contextlib.suppress(Exception), self._database.begin() as connection:
            connection.execute(_sql(statement), {"id": self._executor})

    def beat(self) -> None:
        """Write a heartbeat."""
        with self._database.begin() as connection:
            values = {"id": self._executor, "now": time.time()}
            now = _DATABASE_TIME if self._database.shared else ":now"
            statement = f"INSERT INTO worker (id, started, seen) VALUES (:id, {now}, {now})"  # noqa: S608 - one of two constants
            connection.execute(_sql(f"{statement} ON CONFLICT (id) DO UPDATE SET seen = excluded.seen"), values)

    def take_over(self) -> bool:
        """Release the workflows of dead executors, so that others can claim them; return whether there were any."""
        from formwork.durable.workflow_rows import release_orphans, release_work  # noqa: PLC0415 - see `_sql`

        with self._database.begin() as connection:
            dead = self._find_silent(connection) if self._database.shared else self._find_others(connection)
            for executor in dead:
                release_work(connection, executor)
                connection.execute(_sql("DELETE FROM worker WHERE id = :id"), {"id": executor})
            return release_orphans(connection) or bool(dead)

    def _find_silent(self, connection: "Connection") -> list[str]:
        """Return the executors whose heartbeat is overdue, their rows locked so that only one worker releases them."""
        silent = f"seen < {_DATABASE_TIME} - :dead"
        found = connection.execute(
            _sql(f"SELECT id FROM worker WHERE id <> :id AND {silent} FOR UPDATE SKIP LOCKED"),  # noqa: S608 - a constant
            {"id": self._executor, "dead": self._dead_seconds},
        )
        return [row.id for row in found]

    def _find_others(self, connection: "Connection") -> list[str]:
        """Return all other executors: on SQLite they are dead, since this process holds the folder's lock."""
        found = connection.execute(_sql("SELECT id FROM worker WHERE id <> :id"), {"id": self._executor})
        return [row.id for row in found]

    def _live(self) -> None:
        while not self._stop.wait(self._beat_seconds):
            # the database may be out of reach for a while; the next beat tries again
            with contextlib.suppress(Exception):
                self.beat()
                # on SQLite no other executor can have started, and died, since this one
                if self._database.shared and self.take_over():
                    self._revive()


def others_work(database: Database) -> bool:
    """Return whether the database is shared, and another process works on it or was killed."""
    if not database.shared:
        return False
    with database.read() as connection:
        return connection.execute(_sql("SELECT id FROM worker WHERE seen > 0 LIMIT 1")).first() is not None


def _sql(text: str) -> "TextClause":
    from sqlalchemy import text as clause  # noqa: PLC0415 - 150 ms, for those who use a database

    return clause(text)
