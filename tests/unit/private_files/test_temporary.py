"""Temporary folders end with their process: removed by itself, or by the next one when it was killed."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from formwork.private_files import temporary
from formwork.private_files.temporary import LOCK_FILE, TemporaryFolder, sweep

LIVE = """
import sys, time
from formwork.private_files.temporary import TemporaryFolder
folders = [TemporaryFolder("test"), TemporaryFolder("test")]
(folders[0].path / "file").write_text("content")
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(temporary.tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def life(place):
    """A process with two temporary folders, which ends when its standard input does."""
    environment = {**os.environ, "TMPDIR": str(place)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", LIVE], env=environment, **pipes) as process:
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def names(place):
    return sorted(each.name.rpartition("-")[0] for each in place.iterdir())


def test_a_folder_is_private_and_gone_at_the_end(place):
    with TemporaryFolder("test") as path:
        assert path.parent == place
        assert path.name.startswith("formwork-test-")
        assert path.stat().st_mode & 0o077 == 0
        (path / "folder").mkdir()
    assert names(place) == []


def test_a_folder_that_nobody_closes_goes_with_its_object_and_with_its_process(place, life):
    folder = TemporaryFolder("test")
    assert len(names(place)) == 3
    del folder
    assert len(names(place)) == 2
    life.stdin.close()
    assert life.wait(30) == 0
    assert names(place) == []


def test_folders_of_a_killed_process_are_swept_and_those_of_a_living_one_are_not(place, life):
    assert sweep(place) == 0
    assert names(place) == ["formwork-test", "formwork-test"]
    life.send_signal(signal.SIGKILL)
    life.wait(30)
    assert names(place) == ["formwork-test", "formwork-test"]
    assert sweep(place) == 2
    assert names(place) == []


def test_a_folder_that_is_not_locked_yet_goes(place):
    """Its process was killed between the creation and the lock, or creates another one."""
    (place / "formwork-handlers-abc").mkdir()
    assert sweep(place) == 1
    assert names(place) == []


def test_a_process_whose_folder_was_swept_too_early_creates_another(place, monkeypatch):
    create = temporary.tempfile.mkdtemp
    created = []

    def create_swept(**given):
        created.append(create(**given))
        if len(created) == 1:
            assert sweep(place) == 1
        return created[-1]

    monkeypatch.setattr(temporary.tempfile, "mkdtemp", create_swept)
    with TemporaryFolder("handlers") as path:
        assert path.is_dir()
        assert sweep(place) == 0


def test_a_sweep_that_is_killed_is_completed_by_the_next(place, monkeypatch):
    """At whichever removal it is killed."""
    left = 0
    for killed_at in range(1, 20):
        removals = 0
        path = place / f"formwork-handlers-n{killed_at}"
        (path / "folder" / "inner").mkdir(parents=True)
        for name in ("a", "folder/b", "folder/inner/c", LOCK_FILE):
            (path / name).write_text("")

        def dies(remove, at=killed_at):
            def removing(*given, **more):
                nonlocal removals
                removals += 1
                if removals == at:
                    raise KeyboardInterrupt
                return remove(*given, **more)

            return removing

        with monkeypatch.context() as killed, contextlib.suppress(KeyboardInterrupt):
            for remove in ("unlink", "rmdir"):
                killed.setattr(os, remove, dies(getattr(os, remove)))
            sweep(place)
        left += path.exists()
        sweep(place)
        assert not path.exists(), f"killed at removal {killed_at}"
    assert left >= 5


def test_the_first_folder_of_a_process_sweeps(place, life, monkeypatch):
    life.send_signal(signal.SIGKILL)
    life.wait(30)
    monkeypatch.setattr(temporary, "_swept", False)
    with TemporaryFolder("own"):
        assert names(place) == ["formwork-own"]


def test_what_is_not_surely_left_stays(place):
    (place / "formwork-notes-of-mine").mkdir()
    os.utime(place / "formwork-notes-of-mine", (0, 0))
    (place / "formwork-handlers-fresh" / "of-an-older-version").mkdir(parents=True)
    (place / "formwork-file").write_text("")
    outside = place / "outside"
    outside.mkdir()
    (outside / LOCK_FILE).write_text("")
    (place / "formwork-link").symlink_to(outside)
    assert sweep(place) == 0
    assert (outside / LOCK_FILE).exists()


def test_old_folders_of_older_versions_go(place):
    (place / "formwork-handlers-abc").mkdir()
    week = time.time() - 8 * 24 * 3600
    os.utime(place / "formwork-handlers-abc", (week, week))
    assert sweep(place) == 1
    assert names(place) == []


def test_a_fork_leaves_the_folder_to_its_parent(place):
    with TemporaryFolder("test") as path:
        if (child := os.fork()) == 0:
            temporary.weakref.finalize._exitfunc()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert path.is_dir()


def test_another_users_folder_stays(place, monkeypatch):
    (place / "formwork-test-abc").mkdir()
    (place / "formwork-test-abc" / LOCK_FILE).write_text("")
    monkeypatch.setattr(temporary.os, "geteuid", lambda: 12345)
    assert sweep(place) == 0
