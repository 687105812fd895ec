"""The statements of each migration, which state of earlier releases has seen and which therefore never change."""

import re

import pytest
from sqlalchemy import event

from formwork.durable import open_database

CHANGES = ("CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
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
