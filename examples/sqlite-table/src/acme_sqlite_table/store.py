"""Tables in the SQLite files of a data folder, and what we note about each in a table of our own.

Knows nothing of CloudFormation: tables go in and out as dicts of their properties. Columns, keys and indexes are read
back from SQLite itself, so that a change made behind our back shows.
"""

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .definition import (
    Properties,
    added_columns,
    column_sql,
    columns_of,
    create_index,
    create_table,
    indexes_of,
    primary_key_of,
    quoted,
)
from .rebuild import copy_batch, start_rebuild, stop_rebuild

NOTES = "_acme_tables"
DATABASE_NOTES = "_acme_database"  # where Acme::SQLite::Database keeps its access key
# How long a call waits for another one's lock; CloudFormation tries a ResourceConflict again.
PATIENCE_SECONDS = 1


class NoSuchTableError(Exception):
    """No table has that name or Arn; the argument says which."""


class TableExistsError(Exception):
    """A table of that name is there already, made by another request; the argument is the name."""


class WrongKeyError(Exception):
    """The database has a key, and the one shown is another or none; the argument is the database's name."""


@dataclass(frozen=True, order=True)
class TableId:
    """What tells tables apart."""

    database: str
    table: str


@dataclass(frozen=True)
class TableStore:
    """The tables of all databases in `path`."""

    path: Path

    def create(self, which: TableId, wanted: Properties, *, arn: str, token: str, system_tags: dict[str, str]) -> None:
        """Make the table; nothing happens where `token` made it before. Raises TableExistsError, WrongKeyError."""
        self.path.mkdir(parents=True, exist_ok=True)
        with self._open(which, make=True) as connection, _transaction(connection):
            _check_key(connection, which.database, wanted.get("AccessKey"))
            connection.execute(
                f"CREATE TABLE IF NOT EXISTS {NOTES} (name TEXT PRIMARY KEY, token TEXT, arn TEXT, created_at TEXT, "
                "system_tags TEXT, declared TEXT, pending TEXT)"
            )
            made = connection.execute(f"SELECT token FROM {NOTES} WHERE name = ?", [which.table]).fetchone()
            if made and made[0] == token:
                return
            if _exists(connection, which.table):
                raise TableExistsError(f"{which.database}.{which.table}")
            connection.execute(create_table(which.table, wanted["Columns"], wanted.get("PrimaryKey", ())))
            for index in wanted.get("Indexes", ()):
                connection.execute(create_index(which.table, index))
            now = datetime.now(UTC).isoformat(timespec="seconds")
            row = [which.table, token, arn, now, json.dumps(system_tags), _declaration(wanted)]
            connection.execute(f"INSERT INTO {NOTES} VALUES (?, ?, ?, ?, ?, ?, NULL)", row)

    def update(self, which: TableId, wanted: Properties) -> bool:
        """Alter the table as far as that is quick; True where its rows have to be copied, which `go_on` does.

        Raises NoSuchTableError, WrongKeyError.
        """
        with self._open(which) as connection, _transaction(connection):
            declared = _declared(connection, which)
            _check_key(connection, which.database, wanted.get("AccessKey"))
            added = added_columns(columns_of(connection, which.table, declared["Columns"]), wanted["Columns"])
            if added is None:
                start_rebuild(connection, which.table, wanted["Columns"], primary_key_of(connection, which.table))
                note = f"UPDATE {NOTES} SET pending = ? WHERE name = ?"
                connection.execute(note, [_declaration(wanted), which.table])
                return True
            for column in added:
                connection.execute(f"ALTER TABLE {quoted(which.table)} ADD COLUMN {column_sql(column)}")
            _declare(connection, which.table, wanted)
            return False

    def go_on(self, which: TableId, after: int) -> int | None:
        """Copy the next rows of a rebuild, from row id `after` on; the last one copied, None when it is through.

        Raises NoSuchTableError, and sqlite3.DatabaseError where a row does not fit the new columns: then the rebuild is
        called off, and the table is as it was.
        """
        with self._open(which) as connection:
            _declared(connection, which)
            pending = connection.execute(f"SELECT pending FROM {NOTES} WHERE name = ?", [which.table]).fetchone()[0]
            if pending is None:  # called again after the last batch: all is done
                return None
            try:
                with _transaction(connection):
                    last = copy_batch(connection, which.table, after)
                    if last is None:
                        _declare(connection, which.table, json.loads(pending))
                    return last
            except (sqlite3.IntegrityError, sqlite3.OperationalError) as error:
                if error.sqlite_errorcode not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                    with _transaction(connection):
                        stop_rebuild(connection, which.table)
                        connection.execute(f"UPDATE {NOTES} SET pending = NULL WHERE name = ?", [which.table])
                raise

    def delete(self, which: TableId) -> None:
        """Drop the table; its database stays, even an empty one. Raises NoSuchTableError."""
        with self._open(which) as connection, _transaction(connection):
            _declared(connection, which)
            stop_rebuild(connection, which.table)
            connection.execute(f"DROP TABLE {quoted(which.table)}")
            connection.execute(f"DELETE FROM {NOTES} WHERE name = ?", [which.table])

    def get(self, which: TableId) -> Properties:
        """The table's properties, as SQLite has them. Raises NoSuchTableError."""
        with self._open(which) as connection:
            declared = _declared(connection, which)
            query = f"SELECT arn, created_at FROM {NOTES} WHERE name = ?"
            arn, created_at = connection.execute(query, [which.table]).fetchone()
            indexes = indexes_of(connection, which.table, declared.get("Indexes", ()))
            properties = {
                "DatabaseName": which.database,
                "TableName": which.table,
                "Arn": arn,
                "CreatedAt": created_at,
                "RowCount": connection.execute(f"SELECT count(*) FROM {quoted(which.table)}").fetchone()[0],
                "Columns": columns_of(connection, which.table, declared["Columns"]),
                "PrimaryKey": primary_key_of(connection, which.table) or None,
                # No indexes: the empty list that was asked for, or nothing where nothing was said.
                "Indexes": indexes if indexes or "Indexes" in declared else None,
                "Tags": declared.get("Tags"),
            }
        return {key: value for key, value in properties.items() if value is not None}

    def id_of(self, arn: str) -> TableId:
        """Which table has that Arn. Raises NoSuchTableError."""
        database, _, table = arn.rpartition(":table/")[2].partition("/")
        which = TableId(database, table)
        if self.get(which)["Arn"] != arn:
            raise NoSuchTableError(arn)
        return which

    def ids(self) -> Iterator[TableId]:
        """All tables that were made here, in order; other tables and files are passed over."""
        for file in sorted(self.path.glob("*.db")) if self.path.is_dir() else ():
            with contextlib.suppress(sqlite3.DatabaseError), self._open(TableId(file.stem, "")) as connection:
                if _exists(connection, NOTES):
                    names = connection.execute(f"SELECT name FROM {NOTES} ORDER BY name").fetchall()
                    yield from (TableId(file.stem, name) for (name,) in names)

    @contextlib.contextmanager
    def _open(self, which: TableId, *, make: bool = False) -> Iterator[sqlite3.Connection]:
        file = self._file(which.database)
        if not make and not file.is_file():
            raise NoSuchTableError(f"{which.database}.{which.table}")
        uri = f"{file.resolve().as_uri()}?mode={'rwc' if make else 'rw'}"
        with contextlib.closing(
            sqlite3.connect(uri, uri=True, isolation_level=None, timeout=PATIENCE_SECONDS)
        ) as connection:
            yield connection

    def _file(self, database: str) -> Path:
        return self.path / f"{Path(database).name}.db"


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _exists(connection: sqlite3.Connection, table: str) -> bool:
    # SQLite takes Books and books for the same table.
    query = "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE"
    return connection.execute(query, [table]).fetchone() is not None


def _declared(connection: sqlite3.Connection, which: TableId) -> dict[str, Any]:
    """How the table was asked for last. Raises NoSuchTableError where we have no note of it or it was dropped."""
    query = f"SELECT declared FROM {NOTES} WHERE name = ?"
    note = connection.execute(query, [which.table]).fetchone() if _exists(connection, NOTES) else None
    if note is None or not _exists(connection, which.table):
        raise NoSuchTableError(f"{which.database}.{which.table}")
    declared: dict[str, Any] = json.loads(note[0])
    return declared


def _declaration(wanted: Properties) -> str:
    return json.dumps({name: wanted[name] for name in ("Columns", "Indexes", "Tags") if name in wanted})


def _declare(connection: sqlite3.Connection, table: str, wanted: Properties) -> None:
    """Note how the table was asked for, with its indexes made so: they are all that is left to do by then."""
    for index in indexes_of(connection, table, ()):
        connection.execute(f"DROP INDEX {quoted(index['Name'])}")
    for index in wanted.get("Indexes", ()):
        connection.execute(create_index(table, index))
    note = f"UPDATE {NOTES} SET declared = ?, pending = NULL WHERE name = ?"
    connection.execute(note, [_declaration(wanted), table])


def _check_key(connection: sqlite3.Connection, database: str, shown: str | None) -> None:
    query = f"SELECT value FROM {DATABASE_NOTES} WHERE name = 'access_key'"
    kept = connection.execute(query).fetchone() if _exists(connection, DATABASE_NOTES) else None
    if kept is None:
        return
    salt, _, digest = kept[0].partition("$")
    if hashlib.scrypt((shown or "").encode(), salt=bytes.fromhex(salt), n=4096, r=8, p=1).hex() != digest:
        raise WrongKeyError(database)
