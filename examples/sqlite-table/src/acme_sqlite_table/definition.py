"""A table's definition as SQL: from properties to statements, and back from what SQLite says it has."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

Properties = dict[str, Any]


def create_table(name: str, columns: Iterable[Properties], primary_key: Iterable[str]) -> str:
    """The CREATE TABLE statement."""
    lines = [column_sql(column) for column in columns]
    if key := ", ".join(quoted(each) for each in primary_key):
        lines.append(f"PRIMARY KEY ({key})")
    return f"CREATE TABLE {quoted(name)} ({', '.join(lines)})"


def create_index(table: str, index: Properties) -> str:
    """The CREATE INDEX statement."""
    columns = ", ".join(quoted(each) for each in index["Columns"])
    unique = "UNIQUE " if index.get("Unique") else ""
    return f"CREATE {unique}INDEX {quoted(index['Name'])} ON {quoted(table)} ({columns})"


def column_sql(column: Properties) -> str:
    """A column as CREATE TABLE and ALTER TABLE take it."""
    parts = [quoted(column["Name"]), column["Type"]]
    if column.get("Nullable") is False:
        parts.append("NOT NULL")
    if "Default" in column:
        parts.append("DEFAULT '" + column["Default"].replace("'", "''") + "'")
    return " ".join(parts)


def columns_of(connection: sqlite3.Connection, table: str, declared: Iterable[Properties]) -> list[Properties]:
    """The columns that the table really has.

    `declared` is how they were asked for: a Nullable of true was either said or left out, and SQLite can't tell which.
    """
    said = {column["Name"]: column for column in declared}
    found = []
    for _, name, kind, required, default, _ in connection.execute(f"PRAGMA table_info({quoted(table)})"):
        column = {"Name": name, "Type": kind}
        if required or "Nullable" in said.get(name, {}):
            column["Nullable"] = not required
        if default is not None:
            column["Default"] = default[1:-1].replace("''", "'") if default.startswith("'") else default
        found.append(column)
    return found


def primary_key_of(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns of the primary key, most significant first."""
    rows = connection.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
    return [row[1] for row in sorted(rows, key=lambda row: row[5]) if row[5]]


def indexes_of(connection: sqlite3.Connection, table: str, declared: Iterable[Properties]) -> list[Properties]:
    """The indexes that the table really has; those that SQLite made for itself are left out."""
    said = {index["Name"]: index for index in declared}
    found = []
    for _, name, unique, origin, _ in connection.execute(f"PRAGMA index_list({quoted(table)})").fetchall():
        if origin != "c":
            continue
        columns = [row[2] for row in connection.execute(f"PRAGMA index_info({quoted(name)})")]
        index: Properties = {"Name": name, "Columns": columns}
        if unique or "Unique" in said.get(name, {}):
            index["Unique"] = bool(unique)
        found.append(index)
    return sorted(found, key=lambda index: str(index["Name"]))


def added_columns(current: list[Properties], wanted: list[Properties]) -> list[Properties] | None:
    """The columns that ALTER TABLE can add to get from one to the other; None where the table has to be rebuilt."""
    kept, added = wanted[: len(current)], wanted[len(current) :]
    same = [_meaning(column) for column in kept] == [_meaning(column) for column in current]
    # SQLite adds a NOT NULL column only where old rows get a value for it.
    return added if same and all(column.get("Nullable", True) or "Default" in column for column in added) else None


def quoted(name: str) -> str:
    """A name as SQL takes it whatever it holds.

    In backticks: SQLite takes an unknown name in double quotes for a string, and would index that.
    """
    return "`" + name.replace("`", "``") + "`"


def _meaning(column: Mapping[str, Any]) -> Properties:
    return {"Nullable": True, **column}
