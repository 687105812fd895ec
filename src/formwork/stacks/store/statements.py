"""Statements for every resource, built once: to build one takes longer than to run it.

Their SQL is understood by SQLite and PostgreSQL.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sqlalchemy import Table, TextClause, TextualSelect, text

from formwork.durable.sealed_text import with_seals


def write_whole(table: Table, *names: str, first: tuple[str, ...] = ()) -> TextClause:
    """Return a statement that adds a row or, where its primary key exists, replaces all columns but `first`."""
    keys = [each.name for each in table.primary_key.columns]
    rest = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    statement = f"{_insertion(table, (*names, *first))} ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {rest}"
    return with_seals(text(statement), table)


def add_once(table: Table, *names: str, **computed: str) -> TextClause:
    """Return a statement that adds a row unless it conflicts with one; `computed` are expressions by column."""
    return with_seals(text(f"{_insertion(table, names, computed)} ON CONFLICT DO NOTHING"), table)


def _insertion(table: Table, names: tuple[str, ...], computed: Mapping[str, str] = MappingProxyType({})) -> str:
    places = ", ".join(computed.get(name, f":{name}") for name in names)
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({places})"  # noqa: S608 - names of our own tables


def select_by(table: Table, *names: str) -> TextualSelect:
    """Return a statement that selects the rows in which these columns have given values."""
    where = " AND ".join(f"{name} = :{name}" for name in names)
    return text(f"SELECT * FROM {table.name} WHERE {where}").columns(*table.columns)  # noqa: S608 - the same
