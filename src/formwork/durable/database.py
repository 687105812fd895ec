"""The database: SQLite in a state folder or PostgreSQL by URL, with the same tables and transactions.

SQLite runs in WAL mode. With synchronous NORMAL a commit costs 0.01 ms and survives every crash of the process; with
FULL it costs a write to the disk and survives the loss of power too. There is one writer at a time.

The oldest SQLite library that is supported is 3.40 (Debian 12, Amazon Linux 2023); `make acceptance` runs on it. A
driver with a library of its own (`pysqlite3`) has wheels for some platforms only.

The reasons are in docs/decisions/1001.
"""

import contextlib
import functools
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.extras import install_extra
from formwork.diagnostics.secrets import Secret
from formwork.durable.sealing import SEALER, Sealer, check_key, folder_key, parse_key
from formwork.durable.sqlite_connections import SqliteConnections, begin_transaction
from formwork.durable.state_folder import FolderLock, StateFolder, make_state_folder
from formwork.private_files.modes import open_private

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_BUSY_MILLISECONDS = 30_000
# A process that is suspended in a transaction must not delay those that take its work over.
_IDLE_MILLISECONDS = 10_000
# Older libraries lack RETURNING; 3.40 is the supported version, and the tests run on it.
OLDEST_SQLITE = (3, 35)
_POSTGRESQL = ("postgresql:", "postgres:", "postgresql+psycopg:")


def _ignore() -> None:
    pass


class Durability(StrEnum):
    """Which failures a committed transaction survives."""

    NORMAL = "normal"  # every crash of a process
    FULL = "full"  # the loss of power too


class Database:
    """Transactions on one database; safe to use from several threads. Close it at the end."""

    def __init__(
        self,
        make_engine: "Callable[[], Engine]",
        *,
        shared: bool,
        state: StateFolder | None,
        lock: FolderLock | None,
        sealer: Sealer | None = None,
    ) -> None:
        """`make_engine` is called at the first use, `shared` says whether other processes may use the database as well.

        `state` is its state folder, `lock` the lock on that folder, `sealer` seals secret texts.
        """
        self._make_engine = make_engine
        self._engine: Engine | None = None
        self._making = threading.Lock()
        self._sealer = sealer
        self.state = state
        self.lock = lock
        self.shared = shared
        self.opened = time.time()
        self.committed: Callable[[], None] = _ignore  # called after each transaction of this process that wrote
        self._connections = None if shared else SqliteConnections(self._connect)
        self._held_to_the_end = False

    @property
    def engine(self) -> "Engine":
        """SQLAlchemy's engine, made at the first use: to import SQLAlchemy takes a quarter of a server's start."""
        if self._engine is None:
            with self._making:
                if self._engine is None:
                    engine = self._make_engine()
                    setattr(engine.dialect, SEALER, self._sealer)
                    self._engine = engine
        return self._engine

    def _connect(self) -> "Connection":
        return self.engine.connect()

    def derive_key(self, purpose: str) -> bytes | None:
        """Return a key for `purpose`, the same in all processes of this state; None where the state has no key."""
        return None if self._sealer is None else self._sealer.derive(purpose)

    @contextlib.contextmanager
    def begin(self) -> Iterator["Connection"]:
        """Open a transaction that writes; it commits at the end of the block, and rolls back on an exception."""
        with self.engine.begin() if self._connections is None else self._connections.write() as connection:
            yield connection
        self.committed()

    @contextlib.contextmanager
    def read(self) -> Iterator["Connection"]:
        """Open a transaction that reads one consistent state."""
        with self._connect() if self._connections is None else self._connections.read() as connection:
            yield connection

    def migrate(self) -> None:
        """Upgrade the tables to this version's schema; quick where they have it.

        Raises:
            EnvironmentProblemError: a newer version has written it, or another key has sealed it.
        """
        from formwork.durable.migrating import migrate  # noqa: PLC0415 - alembic only where something is to do

        with self.begin() as connection:
            migrated = migrate(connection)
            if self._sealer is not None:
                check_key(connection, self._sealer)
        if migrated and not self.shared:
            self._rewrite()

    def _rewrite(self) -> None:
        """Rewrite the file: its free pages still contain texts from before they were sealed."""
        raw = self.engine.raw_connection()
        try:
            cursor = raw.cursor()
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            raw.close()

    def hold_to_the_end(self) -> None:
        """Keep the folder locked until this process ends: some of its work could not be stopped."""
        self._held_to_the_end = True

    def close(self) -> None:
        """Close all connections and release the folder's lock."""
        if self._connections is not None:
            self._connections.close()
        if self._engine is not None:
            self._engine.dispose()
        if self.lock is not None and not self._held_to_the_end:
            self.lock.release()


def open_database(
    place: str | Path,
    *,
    state: Path | None = None,
    durability: Durability | str = Durability.NORMAL,
    key: Secret | None = None,
) -> Database:
    """Return the database at `place`: a state folder, or the URL of a PostgreSQL database beside a `state` folder.

    One process at a time can use a folder; many can use PostgreSQL, and they share the state folder. What may be secret
    is sealed with `key`, a base64 text of 32 bytes, or else with the key in the state folder; without either it is
    stored unencrypted.

    Raises:
        EnvironmentProblemError: the folder is in use or can't be written, the database can't be reached, or the key is
            not valid.
    """
    text = str(place)
    if text.startswith(_POSTGRESQL):
        folder_state = None if state is None else StateFolder(state)
        if state is not None:
            make_state_folder(state)
        sealer = _sealer(state, key)
        make_engine = functools.partial(_postgresql_engine, text)
        database = Database(make_engine, shared=True, state=folder_state, lock=None, sealer=sealer)
        _ = database.engine  # whether the database can be reached shows now
        return database
    if "://" in text:
        raise EnvironmentProblemError(
            f'"{text.partition(":")[0]}" is not a known kind of database', hint="a folder, or postgresql://…"
        )
    check_sqlite()
    folder = Path(place)
    make_state_folder(folder)
    lock = FolderLock(folder / "lock", whole_folder=True)
    try:
        sealer = _sealer(folder, key)
        file = folder / "formwork.db"
        with contextlib.suppress(OSError):  # it exists; SQLite reports any other problem
            # SQLite gives -wal and -shm the mode of the database.
            os.close(open_private(str(file), os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        full = Durability(durability) is Durability.FULL
    except BaseException:
        lock.release()
        raise
    make_engine = functools.partial(_sqlite_engine, str(file), full=full)
    return Database(make_engine, shared=False, state=StateFolder(folder), lock=lock, sealer=sealer)


def _sealer(folder: Path | None, key: Secret | None) -> Sealer | None:
    if key is not None:
        return Sealer(parse_key(key.reveal()))
    return None if folder is None else Sealer(folder_key(folder))


def check_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """Check that the SQLite library of this Python can be used.

    Raises:
        EnvironmentProblemError: it is too old.
    """
    if version < OLDEST_SQLITE:
        raise EnvironmentProblemError(
            f"SQLite {'.'.join(map(str, version))} is too old: {'.'.join(map(str, OLDEST_SQLITE))} or newer is needed",
            hint="use a Python with a newer SQLite library, or --database postgresql://…",
        )


def _sqlite_engine(path: str, *, full: bool = False) -> "Engine":
    from sqlalchemy import create_engine, event  # noqa: PLC0415 - 150 ms, for those who use a database
    from sqlalchemy.pool import QueuePool  # noqa: PLC0415 - the same

    engine = create_engine(
        f"sqlite:///{path}",
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=20,
        max_overflow=80,
        pool_timeout=60,
        connect_args={"check_same_thread": False, "timeout": _BUSY_MILLISECONDS / 1000},
    )

    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={'FULL' if full else 'NORMAL'}",
            f"busy_timeout={_BUSY_MILLISECONDS}",
            "foreign_keys=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", connected)
    setattr(engine.dialect, "do_begin", begin_transaction)  # noqa: B010 - type checkers refuse to assign to a method
    return engine


def _postgresql_engine(url: str) -> "Engine":
    from sqlalchemy import create_engine, event, make_url  # noqa: PLC0415 - as above

    try:
        parsed = make_url(url).set(drivername="postgresql+psycopg")
        engine = create_engine(
            parsed,
            hide_parameters=True,
            pool_size=20,
            max_overflow=80,
            pool_pre_ping=True,
            pool_timeout=60,
            connect_args={"options": f"-c idle_in_transaction_session_timeout={_IDLE_MILLISECONDS}"},
        )
        event.listen(engine, "connect", _check_encoding, insert=True)  # checked before any text is read
        with engine.connect():
            pass
    except EnvironmentProblemError:
        raise
    except ImportError as error:
        raise EnvironmentProblemError(
            "the driver of PostgreSQL (psycopg) is missing", hint=install_extra("postgresql")
        ) from error
    except Exception as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()
        raise EnvironmentProblemError(
            f"the PostgreSQL database can't be reached: {reason[0] if reason else type(error).__name__}",
            hint="see the URL: postgresql://USER@HOST:PORT/DATABASE",
        ) from error
    return engine


def _check_encoding(connection: Any, _record: Any) -> None:
    """Refuse databases that are not in UTF-8: SQL_ASCII returns bytes for texts, other encodings lack characters."""
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise EnvironmentProblemError(
            f"the PostgreSQL database has the encoding {encoding}, UTF8 is needed",
            hint="create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
        )
