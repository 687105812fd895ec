"""The registry over a database of its own, SQLite and PostgreSQL in turn; see `support/registry.py`."""

import shutil

import pytest

from formwork.durable import open_database
from formwork.registry.tables import metadata
from support.registry import Desk, open_desk


@pytest.fixture(scope="session")
def postgres_database(make_database, tmp_path_factory):
    database = open_database(make_database(), state=tmp_path_factory.mktemp("state"))
    database.migrate()
    yield database
    database.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def open_a_desk(request, empty_state, tmp_path):
    """Makes a desk with settings of the test's; an empty registry each time."""
    made = []

    def make(**settings):
        if request.param == "sqlite":
            desk = open_desk(shutil.copytree(empty_state, tmp_path / f"state{len(made)}"), **settings)
        else:
            database = request.getfixturevalue("postgres_database")
            with database.begin() as connection:
                for table in reversed(metadata.sorted_tables):
                    connection.execute(table.delete())
            desk = Desk(database, keep_database=True, **settings)
        made.append(desk)
        return desk

    yield make
    for each in made:
        each.close()


@pytest.fixture
def desk(open_a_desk):
    return open_a_desk()
