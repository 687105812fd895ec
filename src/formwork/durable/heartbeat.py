"""Signs of life: each worker writes one, and whoever finds one that has stopped takes its workflows over.

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
    from sqlalchemy import TextClause

_DATABASE_TIME = "extract(epoch FROM clock_timestamp())"


class Heartbeat:
    """The signs of life of one executor; `resume` has the workflows of another one go on here or elsewhere."""

    def __init__(
        self,
        database: Database,
        executor: str,
        resume: Callable[[str], None],
        *,
        beat_seconds: float,
        dead_seconds: float,
    ) -> None:
        self._database = database
        self._executor = executor
        self._resume = resume
        self._beat_seconds = beat_seconds
        self._dead_seconds = dead_seconds
        self._revive: Callable[[], None] = lambda: None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, name="heartbeat", daemon=True)

    def start(self, revive: Callable[[], None]) -> None:
        """Go on with what dead executors left, and beat from now on; the first beat is written before.

        `revive` is asked, each time others were found dead, to start what they noted and never started.
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
        """Have the workflows of dead executors go on; whether there were any."""
        return self._take_over_silent() if self._database.shared else self._take_over_all()

    def _take_over_silent(self) -> bool:
        """Those that have not beaten for long; their rows are held meanwhile, so that only one worker does it."""
        silent = f"seen < {_DATABASE_TIME} - :dead"
        with self._database.begin() as connection:
            found = connection.execute(
                _sql(f"SELECT id FROM worker WHERE id <> :id AND {silent} FOR UPDATE SKIP LOCKED"),  # noqa: S608 - a constant
                {"id": self._executor, "dead": self._dead_seconds},
            )
            dead = [row.id for row in found]
            for each in dead:
                self._resume(each)
                connection.execute(_sql("DELETE FROM worker WHERE id = :id"), {"id": each})
        return bool(dead)

    def _take_over_all(self) -> bool:
        """On SQLite everybody else is dead, whatever the clock says: the folder's lock is ours."""
        with self._database.read() as connection:
            found = connection.execute(_sql("SELECT id FROM worker WHERE id <> :id"), {"id": self._executor})
            dead = [row.id for row in found]
        for each in dead:
            self._resume(each)
            with self._database.begin() as connection:
                connection.execute(_sql("DELETE FROM worker WHERE id = :id"), {"id": each})
        return bool(dead)

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
