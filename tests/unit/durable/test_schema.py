"""The statements of each migration, which state of earlier releases has seen and which therefore never change."""

import contextlib
import re
import sqlite3
import sys

import pytest
from sqlalchemy import event

from formwork.durable import migrating, open_database

CHANGES = ("CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE")


@pytest.fixture
def no_shortcut(monkeypatch):
    """Have a new SQLite database take the way through all migrations."""
    monkeypatch.setattr(migrating, "_is_new", lambda _connection: False)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path, no_shortcut):
    url = None if request.param == "sqlite" else request.getfixturevalue("make_database")()
    opened = open_database(url or tmp_path, state=tmp_path)
    yield opened
    opened.close()


def test_what_each_migration_does_to_an_empty_database(database, golden):
    said = []

    def note(_connection, _cursor, statement, *_more):
        text = re.sub(r"\s+", " ", statement.strip()).replace(", ", ",\n    ")
        if text.startswith(CHANGES) and not text.startswith("INSERT INTO durable_key"):  # of this state alone
            said.append(text)

    event.listen(database.engine, "before_cursor_execute", note)
    database.migrate()
    event.remove(database.engine, "before_cursor_execute", note)
    golden(f"durable/migrations-{database.engine.dialect.name}.sql", "\n".join(said) + "\n")


def made(folder):
    """The statements that made what is in a database, in order, and the revision that it has."""
    opened = open_database(folder)
    opened.migrate()
    opened.close()
    with contextlib.closing(sqlite3.connect(folder / "formwork.db")) as connection:
        found = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").fetchall()
        ((revision,),) = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    statements = [re.sub(r" *\n\s*", "\n    ", each).replace("\n    )", "\n)") for (each,) in found]
    return [*statements, f"INSERT INTO alembic_version (version_num) VALUES ('{revision}')"]


def test_a_new_sqlite_database_has_what_the_migrations_make(tmp_path, no_shortcut, golden, monkeypatch):
    migrated = made(tmp_path / "migrated")
    golden(migrating.NEW, ";\n".join(migrated) + "\n")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "alembic", None)
    assert made(tmp_path / "new") == migrated
