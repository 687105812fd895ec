"""What tests of several packages start from."""

import pytest

from formwork.durable import open_database


@pytest.fixture(scope="session")
def empty_state(tmp_path_factory):
    """A state folder with all tables and nothing in them, to be copied: making them takes longer than most tests."""
    folder = tmp_path_factory.mktemp("empty")
    opened = open_database(folder)
    opened.migrate()
    opened.close()
    return folder
