"""A second server starts on a state folder whose server runs."""

import os
import shutil

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import open_database


@pytest.fixture
def state(tmp_path):
    """A state folder that is open; whoever opens it a second time is refused."""
    folder = tmp_path / "state"
    first = open_database(folder)
    yield folder
    first.close()
    open_database(folder).close()  # and it is free again


@pytest.mark.parametrize("what", ["left", "removed", "replaced", "emptied"])
def test_the_lock_file_left_or_not(state, what):
    lock = state / "lock"
    match what:
        case "removed":
            lock.unlink()
        case "replaced":
            lock.unlink()
            lock.write_text("{}")
        case "emptied":
            lock.write_text("")
    for _ in range(2):  # the first attempt leaves a lock file of its own
        with pytest.raises(EnvironmentProblemError, match="is in use by another Formwork"):
            open_database(state)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_the_folder_by_another_name(state, tmp_path):
    (tmp_path / "alias").symlink_to(state)
    (state / "lock").unlink()
    with pytest.raises(EnvironmentProblemError, match="in use"):
        open_database(tmp_path / "alias")
    moved = tmp_path / "moved"
    shutil.move(state, moved)
    try:
        with pytest.raises(EnvironmentProblemError, match="in use"):
            open_database(moved)
    finally:
        shutil.move(moved, state)
