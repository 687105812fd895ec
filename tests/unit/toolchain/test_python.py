"""Which Python runs a runtime's handlers."""

import sys

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.toolchain.python import find_interpreter

RUNNING = sys.version_info[1]


def fake_python(folder, minor, *, says=None):
    path = folder / f"python3.{minor}"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho 3 {minor if says is None else says}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def other(minor):
    return minor if minor != RUNNING else minor + 1


def test_the_running_version_is_the_running_python(tmp_path):
    found = find_interpreter(f"python3.{RUNNING}", search_path=str(tmp_path), home=tmp_path)
    assert found.minor == RUNNING
    assert found.executable.exists()
    assert found.note == ""


def test_it_is_found_on_the_path(tmp_path):
    wanted = other(13)
    python = fake_python(tmp_path / "bin", wanted)
    found = find_interpreter(f"python3.{wanted}", search_path=f"/nowhere:{tmp_path / 'bin'}", home=tmp_path)
    assert (found.executable, found.minor, found.note) == (python, wanted, "")


def test_pyenvs_versions_are_found_and_its_shims_are_not(tmp_path):
    wanted = other(10)
    fake_python(tmp_path / ".pyenv" / "shims", wanted)
    python = fake_python(tmp_path / ".pyenv" / "versions" / f"3.{wanted}.4" / "bin", wanted)
    found = find_interpreter(f"python3.{wanted}", search_path=str(tmp_path / ".pyenv" / "shims"), home=tmp_path)
    assert found.executable == python


def test_the_nearest_is_taken_with_a_word(tmp_path):
    fake_python(tmp_path, 9)
    found = find_interpreter("python3.8", search_path=str(tmp_path), home=tmp_path)
    assert found.minor == 9
    assert found.note == "python3.8 is not installed; running handlers on Python 3.9, the nearest installed version"


def test_one_that_is_another_or_does_not_run_is_passed_over(tmp_path):
    wanted = other(12)
    fake_python(tmp_path / "a", wanted, says=2)
    broken = fake_python(tmp_path / "b", wanted)
    broken.write_text("no program", encoding="utf-8")
    good = fake_python(tmp_path / "c", wanted)
    path = ":".join(str(tmp_path / each) for each in "abc")
    assert find_interpreter(f"python3.{wanted}", search_path=path, home=tmp_path).executable == good


@pytest.mark.parametrize("runtime", ["java17", "nodejs20.x", "provided.al2", "python2.7", "python3", ""])
def test_other_runtimes_are_refused(tmp_path, runtime):
    with pytest.raises(EnvironmentProblemError, match="not a Python runtime"):
        find_interpreter(runtime, search_path="", home=tmp_path)
