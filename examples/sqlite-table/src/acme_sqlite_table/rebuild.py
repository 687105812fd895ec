"""Changing columns that SQLite cannot alter: the rows are copied into a new table, a batch a call.

Meanwhile triggers keep others from writing to the old table, so that no row is missed; they may read it. The
new table takes the old one's place in the transaction that copies the last batch.
"""

import sqlite3
from collections.abc import Iterable

from .definition import Properties, create_table, quoted

BATCH = 1000


def start_rebuild(connection: sqlite3.Connection, table: str, columns: list[Properties], key: Iterable[str]) -> None:
    """Make the new table, empty, and lock the old one; what an earlier, broken rebuild left is swept away."""
    stop_rebuild(connection, table)
    connection.execute(create_table(_fresh(table), columns, key))
    for event in ("INSERT", "UPDATE", "DELETE"):
        connection.execute(
            f"CREATE TRIGGER {quoted(_lock(table, event))} BEFORE {event} ON {quoted(table)} "
            "BEGIN SELECT RAISE(ABORT, 'the table is being rebuilt'); END"
        )


def stop_rebuild(connection: sqlite3.Connection, table: str) -> None:
    """Undo a rebuild that is not through; the table is as it was."""
    for event in ("INSERT", "UPDATE", "DELETE"):
        connection.execute(f"DROP TRIGGER IF EXISTS {quoted(_lock(table, event))}")
    connection.execute(f"DROP TABLE IF EXISTS {quoted(_fresh(table))}")


def copy_batch(connection: sqlite3.Connection, table: str, after: int) -> int | None:
    """Copy the next rows; the row id of the last one, or None when all are over and the tables have been swapped."""
    old = [row[1] for row in connection.execute(f"PRAGMA table_info({quoted(table)})")]
    new = {row[1] for row in connection.execute(f"PRAGMA table_info({quoted(_fresh(table))})")}
    shared = "".join(f", {quoted(name)}" for name in old if name in new)
    batch = f"SELECT _rowid_{shared} FROM {quoted(table)} WHERE _rowid_ > ? ORDER BY _rowid_ LIMIT {BATCH}"
    last = connection.execute(f"SELECT count(*), max(_rowid_) FROM ({batch})", [after]).fetchone()
    connection.execute(f"INSERT INTO {quoted(_fresh(table))} (_rowid_{shared}) {batch}", [after])
    if last[0] == BATCH:
        return int(last[1])
    connection.execute(f"DROP TABLE {quoted(table)}")
    connection.execute(f"ALTER TABLE {quoted(_fresh(table))} RENAME TO {quoted(table)}")
    return None


def _fresh(table: str) -> str:
    return f"_acme_new_{table}"


def _lock(table: str, event: str) -> str:
    return f"_acme_lock_{table}_{event.lower()}"
