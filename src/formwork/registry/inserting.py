"""Inserts that two may make at the same time."""

from typing import Any

from sqlalchemy import Connection, Table


def insert_or_ignore(connection: Connection, table: Table, **values: Any) -> None:
    """Insert a row unless one with a key of its is there."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415 - of the dialect that is used
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]  # noqa: PLC0415
    connection.execute(insert(table).values(**values).on_conflict_do_nothing())
