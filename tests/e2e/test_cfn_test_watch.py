"""`cfn test --watch`: a saved handler is tested again with its new code, and Ctrl-C leaves no process behind."""

import os
import re
import signal
import subprocess
import sys
import threading

import pytest

from e2e.test_cfn_test import edit, sample  # noqa: F401 - a fixture

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def children_of(pid):
    """The processes that descend from `pid`."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(child): int(parent) for child, parent in (line.split() for line in listed.splitlines())}
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def test_what_a_save_touches_is_tested_again(sample):  # noqa: F811
    project = sample("watched")
    command = [sys.executable, "-u", "-m", "formwork.cli.main", "test", "--watch"]
    with subprocess.Popen(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ)
    ) as running:
        timer = threading.Timer(120, running.kill)
        timer.start()
        try:
            assert " proved, " in until(running, "watching for saved files")
            edit(project, '    """Replace every property', '    raise KeyError("zone")\n    """Replace every property')
            told = until(running, "s after the save")
            assert "handlers.py changed: the tests of update with inputs_1" in told
            assert re.search(r"✗ KeyError: 'zone' at src/.*handlers.py:\d+ in update_handler", told)
            until(running, "watching for saved files")
            edit(project, '    raise KeyError("zone")\n', "")
            told = until(running, "s after the save")
            assert ", and what failed" in told
            assert "✗" not in told
            until(running, "watching for saved files")
            (project / "notes.md").write_text("no source")
            edit(project, "resource = Resource(", "resource = Resource(((")
            assert "all tests with inputs_1" in until(running, "s after the save")
            until(running, "watching for saved files")
            left = children_of(running.pid)
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 130
        finally:
            timer.cancel()
            running.kill()
    assert not {each for each in left if alive(each)}


def until(running, words):
    """What the command writes up to the line with these words."""
    told = ""
    for line in running.stdout:
        told += line
        if words in line:
            return told
    raise AssertionError(told)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
