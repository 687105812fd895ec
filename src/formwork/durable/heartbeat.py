"""Signs of life: each worker writes one, and whoever finds one that has stopped releases its workflows.

Times are the database's where several machines share it, so that no clock needs to agree with another. A worker that is
declared dead and lives (a machine that was suspended) writes nothing any more for what others have: see `Work.check`
and the engine's owner of an operation.
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
    """The signs of life of one executor, which releases the workflows of those that have stopped to give any."""

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
        """Release what dead executors left, and beat from now on; the first beat is written before.

        `revive` is called, each time others were found dead, to start what they noted and never started.
        """
        self.take_over()
        self._revive = revive
        self._thread.start()

    def stop(self, *, leaves_work: bool) -> None:
        """Beat no more; an executor that `leaves_work` counts as dead from now on, another is forgotten."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(10)
        statement = "UPDATE worker SET seen = 0 WHERE id = :id" if leaves_work else "DELETE FROM worker WHERE id = :id"
        with contextlib.suppress(Exception), self._database.begin() as connection:  # else it is found dead later
            connection.execute(_sql(statement), {"id": self._executor})

    def beat(self) -> None:
        """Write a sign of life."""
        with self._database.begin() as connection:
            values = {"id": self._executor, "now": time.time()}
            now = _DATABASE_TIME if self._database.shared else ":now"
            statement = f"INSERT INTO worker (id, started, seen) VALUES (:id, {now}, {now})"  # noqa: S608 - one of two constants
            connection.execute(_sql(f"{statement} ON CONFLICT (id) DO UPDATE SET seen = excluded.seen"), values)

    def take_over(self) -> bool:
        """Release the workflows of dead executors, for whoever claims them; whether there were any."""
        from formwork.durable.workflow_rows import release_orphans, release_work  # noqa: PLC0415 - see `_sql`

        with self._database.begin() as connection:
            dead = self._find_silent(connection) if self._database.shared else self._find_others(connection)
            for executor in dead:
                release_work(connection, executor)
                connection.execute(_sql("DELETE FROM worker WHERE id = :id"), {"id": executor})
            return release_orphans(connection) or bool(dead)

    def _find_silent(self, connection: "Connection") -> list[str]:
        """Those that have not beaten for long; their rows are held meanwhile, so that only one worker does it."""
        silent = f"seen < {_DATABASE_TIME} - :dead"
        found = connection.execute(
            _sql(f"SELECT id FROM worker WHERE id <> :id AND {silent} FOR UPDATE SKIP LOCKED"),  # noqa: S608 - a constant
            {"id": self._executor, "dead": self._dead_seconds},
        )
        return [row.id for row in found]

    def _find_others(self, connection: "Connection") -> list[str]:
        """On SQLite all others are dead, whatever the clock says: this process holds the folder's lock."""
        found = connection.execute(_sql("SELECT id FROM worker WHERE id <> :id"), {"id": self._executor})
        return [row.id for row in found]

    def _live(self) -> None:
        while not self._stop.wait(self._beat_seconds):
            with contextlib.suppress(Exception):  # the database may be away for a while; the next beat tries again
                self.beat()
                if self._database.shared and self.take_over():  # on SQLite nobody else can have died since the start
                    self._revive()


def others_work(database: Database) -> bool:
    """Whether the database is shared, and another process works on it or ended without a word."""
    if not database.shared:
        return False
    with database.read() as connection:
        return connection.execute(_sql("SELECT id FROM worker WHERE seen > 0 LIMIT 1")).first() is not None


def _sql(text: str) -> "TextClause":
    from sqlalchemy import text as clause  # noqa: PLC0415 - 150 ms, for those who use a database

    return clause(text)
