"""An empty database of the engine's, and an engine on it."""

import shutil

import pytest

from formwork.durable import open_database
from support.engines import Bench


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
