"""Connections to SQLite that are used again: to open one costs more than most of the transactions of the engine.

A connection is kept after a transaction that has ended well, at most as many as the pool keeps; after an exception it
goes back to the pool, which resets it.
"""

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

_KEPT = 20
_WRITES = "formwork_writes"


def begin_transaction(connection: Any) -> None:
    """Begin a transaction. One that writes waits here for other writers: SQLite refuses to wait once it has read.

    This is the dialect's `do_begin`: a listener of SQLAlchemy's would cost each statement its dispatch of events.
    """
    connection.dbapi_connection.execute("BEGIN IMMEDIATE" if connection.info.get(_WRITES) else "BEGIN")


def writes(connection: "Connection") -> bool:
    """Return whether the transactions of a connection write."""
    return bool(connection.info.get(_WRITES))


class SqliteConnections:
    """The connections of one database, safe to use from several threads; `close` it before the engine's pool.

    There is one writer at a time: within a process writers queue on a lock, which is fair, rather than on SQLite's busy
    handler, which is not.
    """

    def __init__(self, connect: "Callable[[], Connection]") -> None:
        self._connect = connect
        self._writer = threading.RLock()
        self._idle: dict[bool, deque[Connection]] = {True: deque(), False: deque()}
        self._closed = False

    @contextlib.contextmanager
    def write(self) -> Iterator["Connection"]:
        """See `Database.begin`."""
        with self._writer, self._lent(writes=True) as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def read(self) -> Iterator["Connection"]:
        """See `Database.read`."""
        with self._lent(writes=False) as connection:
            yield connection
            connection.rollback()

    @contextlib.contextmanager
    def _lent(self, *, writes: bool) -> Iterator["Connection"]:
        idle = self._idle[writes]
        try:
            connection = idle.pop()
        except IndexError:
            connection = self._connect()
            connection.info[_WRITES] = writes
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        if len(idle) >= _KEPT:
            connection.close()
            return
        idle.append(connection)
        if self._closed:
            self.close()

    def close(self) -> None:
        """Close those that are idle, and keep none from now on."""
        self._closed = True
        for idle in self._idle.values():
            with contextlib.suppress(IndexError):
                while True:
                    idle.pop().close()
