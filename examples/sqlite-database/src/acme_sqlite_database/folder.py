"""The data folder: one SQLite file per database, each with our own data about it in a table.

Knows nothing of CloudFormation: databases go in and out as dicts of their properties. The settings are read back from
SQLite itself, so that a change made behind our back shows.
"""

import contextlib
import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Properties = dict[str, Any]

DEFAULTS: Properties = {"PageSize": 4096, "JournalMode": "DELETE", "AutoVacuum": "NONE", "UserVersion": 0}
AUTO_VACUUM = ("NONE", "FULL", "INCREMENTAL")  # in the order of SQLite's own numbers
NOTES = "_acme_database"
# How long a call waits for another one's lock; CloudFormation tries a ResourceConflict again.
PATIENCE_SECONDS = 1


class NoSuchDatabaseError(Exception):
    """No database has that name or Arn; the argument is the name."""


class DatabaseExistsError(Exception):
    """A database of that name is there already, made by another request; the argument is the name."""


class DatabaseInUseError(Exception):
    """The database still holds tables; the argument says which."""


@dataclass(frozen=True)
class DataFolder:
    """The databases in `path`, a folder that is made with the first of them."""

    path: Path

    def create(self, name: str, wanted: Properties, *, arn: str, token: str, system_tags: dict[str, str]) -> Properties:
        """Make the database; the one made earlier where `token` made it.

        The file appears complete or not at all: it is built under another name and then linked into place, which fails
        where the name is taken. Raises DatabaseExistsError.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        fresh = self.path / f".{name}.{secrets.token_hex(4)}.new"
        try:
            self._build(fresh, wanted, arn=arn, token=token, system_tags=system_tags)
            os.link(fresh, self._file(name))
        except FileExistsError as error:
            if self._token(name) != token:
                raise DatabaseExistsError(name) from error
        finally:
            fresh.unlink(missing_ok=True)
        return self.get(name)

    def settle(self, name: str, journal_mode: str) -> Properties:
        """Switch the journal mode and rewrite the file where a changed AutoVacuum asks for it; may take its time."""
        with self._open(name) as connection:
            notes = _notes(connection)
            if "auto_vacuum" in notes:
                # SQLite takes a new auto_vacuum over only while it rewrites a file that has no write-ahead log.
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.execute(f"PRAGMA auto_vacuum = {AUTO_VACUUM.index(notes['auto_vacuum'])}")
                connection.execute("VACUUM")
                connection.execute(f"DELETE FROM {NOTES} WHERE name = 'auto_vacuum'")
            connection.execute(f"PRAGMA journal_mode = {journal_mode}")
        return self.get(name)

    def update(self, name: str, wanted: Properties) -> None:
        """Put `wanted` in the place of the database's settings: what it leaves out is back at its default.

        The journal mode and AutoVacuum change in `settle`. Raises NoSuchDatabaseError.
        """
        settings = {**DEFAULTS, **wanted}
        rewrite = settings["AutoVacuum"] != self.get(name)["AutoVacuum"]
        with self._open(name) as connection, _transaction(connection):
            connection.execute(f"PRAGMA user_version = {int(settings['UserVersion'])}")
            _note(connection, "tags", json.dumps(settings.get("Tags")))
            _note(connection, "access_key", _hash(settings.get("AccessKey")))
            if rewrite:
                _note(connection, "auto_vacuum", settings["AutoVacuum"])

    def delete(self, name: str) -> None:
        """Remove the database's files. Raises NoSuchDatabaseError, DatabaseInUseError."""
        with self._open(name) as connection:
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if mine := sorted(table for table in tables if not table.startswith(("_acme_", "sqlite_"))):
                raise DatabaseInUseError(", ".join(mine))
            # A write-ahead log is merged back, so that removing the file removes everything at once.
            connection.execute("PRAGMA journal_mode = DELETE")
        self._file(name).unlink()

    def get(self, name: str) -> Properties:
        """The database's properties, as SQLite has them. Raises NoSuchDatabaseError."""
        with self._open(name) as connection:
            notes = _notes(connection)
            properties = {
                "DatabaseName": name,
                "Arn": notes["arn"],
                "CreatedAt": notes["created_at"],
                "PageSize": _pragma(connection, "page_size"),
                "JournalMode": "WAL" if _pragma(connection, "journal_mode") == "wal" else "DELETE",
                "AutoVacuum": AUTO_VACUUM[_pragma(connection, "auto_vacuum")],
                "UserVersion": _pragma(connection, "user_version"),
                "Tags": json.loads(notes["tags"]),
            }
        return {key: value for key, value in properties.items() if value is not None}

    def name_of(self, arn: str) -> str:
        """The name of the database that has that Arn. Raises NoSuchDatabaseError."""
        name = arn.rpartition("/")[2]
        if self.get(name)["Arn"] != arn:
            raise NoSuchDatabaseError(arn)
        return name

    def names(self) -> list[str]:
        """The names of all databases that were made here, in order; other files of the folder are passed over."""
        if not self.path.is_dir():
            return []
        return sorted(path.stem for path in self.path.glob("*.db") if self._token(path.stem) is not None)

    def _build(self, file: Path, wanted: Properties, *, arn: str, token: str, system_tags: dict[str, str]) -> None:
        settings = {**DEFAULTS, **wanted}
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA page_size = {int(settings['PageSize'])}")
            connection.execute(f"PRAGMA auto_vacuum = {AUTO_VACUUM.index(settings['AutoVacuum'])}")
            with _transaction(connection):
                connection.execute(f"PRAGMA user_version = {int(settings['UserVersion'])}")
                connection.execute(f"CREATE TABLE {NOTES} (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
                _note(connection, "token", token)
                _note(connection, "arn", arn)
                _note(connection, "created_at", datetime.now(UTC).isoformat(timespec="seconds"))
                _note(connection, "tags", json.dumps(settings.get("Tags")))
                _note(connection, "system_tags", json.dumps(system_tags))
                _note(connection, "access_key", _hash(settings.get("AccessKey")))

    def _token(self, name: str) -> str | None:
        """The token that made the database; None where the file is not a database of ours, or does not exist."""
        try:
            with self._open(name) as connection:
                return _notes(connection)["token"]
        except (NoSuchDatabaseError, sqlite3.DatabaseError):
            return None

    @contextlib.contextmanager
    def _open(self, name: str) -> Iterator[sqlite3.Connection]:
        if not self._file(name).is_file():
            raise NoSuchDatabaseError(name)
        # mode=rw: SQLite would otherwise make a file that another request has just removed.
        uri = f"{self._file(name).resolve().as_uri()}?mode=rw"
        with contextlib.closing(
            sqlite3.connect(uri, uri=True, isolation_level=None, timeout=PATIENCE_SECONDS)
        ) as connection:
            known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [NOTES]).fetchone()
            if not known:
                raise NoSuchDatabaseError(name)
            yield connection

    def _file(self, name: str) -> Path:
        return self.path / f"{Path(name).name}.db"


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _notes(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute(f"SELECT name, value FROM {NOTES}"))


def _note(connection: sqlite3.Connection, name: str, value: str | None) -> None:
    if value is None:
        connection.execute(f"DELETE FROM {NOTES} WHERE name = ?", [name])
    else:
        connection.execute(f"INSERT OR REPLACE INTO {NOTES} VALUES (?, ?)", [name, value])


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _hash(key: str | None) -> str | None:
    if key is None:
        return None
    salt = secrets.token_hex(16)
    return f"{salt}${hashlib.scrypt(key.encode(), salt=bytes.fromhex(salt), n=4096, r=8, p=1).hex()}"
