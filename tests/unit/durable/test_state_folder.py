"""The state folder: what is said where it can't be used, the address of its service, incomplete files."""

import json
import os
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import state_folder
from formwork.durable.state_folder import (
    PARTS,
    FolderLock,
    StateFolder,
    make_state_folder,
    read_locked_note,
    read_note,
)


def fail(error):
    def call(*_arguments):
        raise error

    return call


def told(refused):
    (found,) = refused.value.diagnostics
    return found.message, found.hint


def test_a_lock_that_cannot_be_written(tmp_path):
    with pytest.raises(EnvironmentProblemError) as refused:
        FolderLock(tmp_path / "missing" / "lock")
    folder = tmp_path / "missing"
    assert told(refused) == (
        f'the state folder "{folder}" can\'t be used: No such file or directory',
        "name another one with --state DIR",
    )


@pytest.mark.parametrize(
    ("noted", "words"),
    [
        ({"pid": 7, "address": "http://127.0.0.1:3"}, " (process 7) at http://127.0.0.1:3"),
        ({"pid": 7}, " (process 7)"),
        ({"address": "http://x"}, " at http://x"),
        ({}, ""),
    ],
)
def test_who_holds_a_folder(tmp_path, monkeypatch, noted, words):
    lock = FolderLock(tmp_path / "lock")
    monkeypatch.setattr(state_folder, "read_note", {tmp_path: noted}.get)
    with pytest.raises(EnvironmentProblemError) as refused:
        FolderLock(tmp_path / "lock")
    assert told(refused) == (
        f'the state folder "{tmp_path}" is in use by another Formwork{words}',
        "stop that process, use its address, or name another folder with --state DIR",
    )
    lock.release()


def test_a_note_is_read_while_its_lock_is_held(tmp_path):
    lock = FolderLock(tmp_path / "lock", whole_folder=True)
    assert read_note(tmp_path) == {"pid": os.getpid()}
    lock.note(address="http://127.0.0.1:1", more="text that is longer")
    assert read_note(tmp_path) == {"pid": os.getpid(), "address": "http://127.0.0.1:1", "more": "text that is longer"}
    lock.note()
    assert read_note(tmp_path) == {"pid": os.getpid()}
    with (tmp_path / "lock").open("w") as file:
        file.write("[1]")
    assert read_note(tmp_path) == {}
    (tmp_path / "lock").write_text("damaged")
    assert read_note(tmp_path) == {}
    lock.release()
    lock.release()
    assert (tmp_path / "lock").read_text() == ""
    (tmp_path / "lock").write_text(json.dumps({"pid": 1}))
    assert read_locked_note(tmp_path / "lock") == {}  # its process has ended
    assert read_note(tmp_path / "missing") == {}


def test_a_note_that_cannot_be_written(tmp_path):
    lock = FolderLock(tmp_path / "lock")
    real, lock._file = lock._file, SimpleNamespace(seek=fail(OSError(28, "No space left on device")))
    with pytest.raises(EnvironmentProblemError) as refused:
        lock.note()
    assert told(refused) == (
        f'the state folder "{tmp_path}" can\'t be written: No space left on device',
        "make room there, or name another one with --state DIR",
    )
    lock._file = real
    lock.release()


@pytest.mark.parametrize(("error", "reason"), [(PermissionError(13, "denied"), "denied"), (OSError("odd"), "odd")])
def test_folders_that_cannot_be_made_or_closed(tmp_path, monkeypatch, error, reason):
    monkeypatch.setattr(state_folder, "make_private_folder", fail(error))
    for folder, words, hint in (
        (tmp_path / "new", "created", "name another with --state"),
        (
            tmp_path,
            "closed to other users",
            "run each server and worker as the user that owns the folder, or name another with --state",
        ),
    ):
        with pytest.raises(EnvironmentProblemError) as refused:
            make_state_folder(folder)
        assert told(refused) == (f'the state folder "{folder}" can\'t be {words}: {reason}', hint)


def test_the_address_of_the_service(tmp_path):
    state = StateFolder(tmp_path / "state")
    with pytest.raises(EnvironmentProblemError) as refused:
        state.read_address()
    assert told(refused) == (
        f'no service has been started with the state folder "{state.root}"',
        "start `cfn serve` with this folder first",
    )
    state.write_address("http://127.0.0.1:3000/ü")
    assert state.read_address() == "http://127.0.0.1:3000/ü"
    assert [each.name for each in state.root.iterdir()] == ["address"]


def test_where_things_are(tmp_path):
    state = StateFolder(tmp_path)
    names = ("moto", "clock", "packages", "objects", "logs", "results")
    assert [getattr(state, each) for each in names] == [tmp_path / each for each in names]


def test_files_that_others_could_read_are_closed(tmp_path):
    state = StateFolder(tmp_path)
    for name in (*PARTS, "own"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o644)
    assert state.close_to_others() == len(PARTS)
    assert {each.name for each in tmp_path.iterdir() if each.stat().st_mode & 0o077} == {"own"}
    assert state.close_to_others() == 0


def test_incomplete_files_of_this_process_stay(tmp_path):
    state = StateFolder(tmp_path)
    for number, folder in enumerate((state.packages, state.objects, state.logs, state.results)):
        (folder / "below").mkdir(parents=True)
        path = folder / "below" / f".making-{number}"
        path.write_text("")
        os.utime(path, (1000.0 + number, 1000.0 + number))
    (state.packages / "whole").write_text("")
    assert state.remove_half_made(before=1002.0) == 2
    assert sorted(each.name for each in tmp_path.rglob(".making-*")) == [".making-2", ".making-3"]
    assert state.remove_half_made() == 2
    assert (state.packages / "whole").exists()


def test_a_file_that_is_renamed_meanwhile_is_not_incomplete(tmp_path):
    assert state_folder._last_written(tmp_path / "gone") == float("inf")


def test_a_folder_that_could_not_be_made_is_said(tmp_path, monkeypatch):
    state = StateFolder(tmp_path)
    monkeypatch.setattr(os, "rename", fail(OSError(28, "No space left on device")))
    with pytest.raises(EnvironmentProblemError) as refused, state.making(state.packages / "deep" / "a"):
        pass
    assert told(refused) == (
        f'"{state.packages / "deep" / "a"}" could not be created',
        "check that the disk is not full",
    )
    assert list((state.packages / "deep").iterdir()) == []


def test_incomplete_folders_are_beside_their_place_and_marked(tmp_path):
    state = StateFolder(tmp_path)
    with state.making(state.packages / "a") as folder:
        assert folder.parent == state.packages
        assert folder.name.startswith(".making-")
        assert len(folder.name) == len(".making-") + 32
    assert [each.name for each in state.packages.iterdir()] == ["a"]


def test_a_file_is_replaced_at_once(tmp_path, monkeypatch):
    seen, replace = [], Path.replace

    def note(self, place):
        seen.append((self.name.startswith(".making-"), self.parent, self.read_bytes(), place.read_bytes()))
        return replace(self, place)

    state = StateFolder(tmp_path)
    state.write_file(tmp_path / "x", b"one")
    monkeypatch.setattr(Path, "replace", note)
    state.write_file(tmp_path / "x", b"two")
    assert seen == [(True, tmp_path, b"two", b"one")]
    monkeypatch.setattr(Path, "replace", fail(OSError("no")))
    with pytest.raises(OSError, match="no"):
        state.write_file(tmp_path / "x", b"three")
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


def test_threads_that_write_the_same_file_do_not_disturb_each_other(tmp_path):
    state, errors = StateFolder(tmp_path), []

    def write(number):
        try:
            for _ in range(20):
                state.write_file(tmp_path / "x", b"%d" % number)
        except OSError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert errors == []
    assert [each.name for each in tmp_path.iterdir()] == ["x"]
