"""Statements that are executed for every resource, written once: building them anew costs more than running them.

The texts are SQL that SQLite and PostgreSQL both speak.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sqlalchemy import Table, TextClause, TextualSelect, text

from formwork.durable.sealed_text import with_seals


def write_whole(table: Table, *names: str, first: tuple[str, ...] = ()) -> TextClause:
    """Add a row with these columns, or replace them in the row that has its primary key; `first` are never replaced."""
    keys = [each.name for each in table.primary_key.columns]
    rest = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    statement = f"{_insertion(table, (*names, *first))} ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {rest}"
    return with_seals(text(statement), table)


def add_once(table: Table, *names: str, **computed: str) -> TextClause:
    """Add a row with these columns, unless one that collides with it is there; `computed` are expressions by column."""
    return with_seals(text(f"{_insertion(table, names, computed)} ON CONFLICT DO NOTHING"), table)


def _insertion(table: Table, names: tuple[str, ...], computed: Mapping[str, str] = MappingProxyType({})) -> str:
    places = ", ".join(computed.get(name, f":{name}") for name in names)
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({places})"  # noqa: S608 - names of our own tables


def select_by(table: Table, *names: str) -> TextualSelect:
    """All columns of the rows in which these have the values given."""
    where = " AND ".join(f"{name} = :{name}" for name in names)
    return text(f"SELECT * FROM {table.name} WHERE {where}").columns(*table.columns)  # noqa: S608 - the same
