"""The registry over a state folder of its own; see `support/registry.py`."""

import pytest

from support.registry import open_desk


@pytest.fixture
def desk(tmp_path):
    made = open_desk(tmp_path / "state")
    yield made
    made.close()
