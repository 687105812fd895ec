"""What tests of several packages start from."""

import shutil

import pytest

from formwork.durable import open_database
from support.engines import Bench


@pytest.fixture(scope="session")
def empty_state(tmp_path_factory):
    """A state folder with all tables and nothing in them, to be copied: making them takes longer than most tests."""
    folder = tmp_path_factory.mktemp("empty")
    opened = open_database(folder)
    opened.migrate()
    opened.close()
    return folder


@pytest.fixture
def database(empty_state, tmp_path):
    for name in ("formwork.db", "state.key"):
        shutil.copy(empty_state / name, tmp_path / name)
    opened = open_database(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def bench(database):
    return Bench(database)
