"""The line that shows how far `cfn test` is: on a terminal, and nowhere else."""

import io
import os
import pty
import subprocess
import sys

import pytest

from formwork.command_context.output import CommandOutput
from formwork.contract_results.run_events import HandlerInvoked, RunFinished, RunStarted, TestFinished, TestStarted
from formwork.contract_runs.progress import TestProgress
from formwork.invoke.masking import Masker


class Clock:
    now = 0.0

    def __call__(self):
        self.now += 1
        return self.now


@pytest.fixture
def shown(monkeypatch):
    monkeypatch.setattr("formwork.contract_runs.progress.time.monotonic", Clock())
    return io.StringIO()


def test_the_line_counts_tests_and_invocations_and_names_what_runs(shown):
    progress = TestProgress(shown, colour=False)
    progress.receive(RunStarted("A::B::C", 0, Masker, tests=4))
    progress.receive(TestStarted("contract_create_read"))
    progress.receive(TestStarted("contract_delete_read"))
    progress.receive(HandlerInvoked("CREATE", None))
    line = shown.getvalue().rpartition("\r")[2]
    assert "0/4 tests, 1 invocations  delete_read and 1 more" in line
    progress.receive(TestFinished("contract_delete_read"))
    line = shown.getvalue().rpartition("\r")[2]
    assert line.startswith("█████░")
    assert "1/4 tests, 1 invocations  create_read" in line


def test_the_line_goes_with_the_end_of_the_run(shown):
    progress = TestProgress(shown, colour=False)
    progress.receive(RunStarted("A::B::C", 0, Masker, tests=1))
    progress.receive(TestStarted("contract_create_read"))
    cleared = io.StringIO()
    other = TestProgress(cleared, colour=False)
    other.receive(RunStarted("A::B::C", 0, Masker, tests=1))
    other.receive(TestStarted("contract_create_read"))
    progress.receive(RunFinished((), 1.0))
    other.clear()
    assert shown.getvalue() == cleared.getvalue()
    assert shown.getvalue().rpartition("\r")[2].strip("\x1b[K ") == ""


def test_an_earlier_longer_line_leaves_no_trace(shown):
    progress = TestProgress(shown, colour=False)
    progress.receive(RunStarted("A::B::C", 0, Masker, tests=1))
    progress.receive(TestStarted("contract_a_rather_long_name_of_a_test"))
    long = len(shown.getvalue().rpartition("\r")[2])
    progress.receive(TestFinished("contract_a_rather_long_name_of_a_test"))
    assert len(shown.getvalue().rpartition("\r")[2]) == long
    progress.clear()
    assert shown.getvalue().endswith("\r")
    assert "\x1b" not in shown.getvalue()


def test_colour_is_dim_and_ends(shown):
    progress = TestProgress(shown, colour=True)
    progress.receive(TestStarted("x"))
    assert "\x1b[2m" in shown.getvalue()
    assert "\x1b[0m" in shown.getvalue()


@pytest.mark.parametrize(("term", "terminal"), [("xterm", True), ("dumb", False)])
def test_stderr_is_a_terminal_or_not(term, terminal):
    code = "import sys; from formwork.command_context.output import CommandOutput; sys.exit(CommandOutput.of_process().terminal)"
    environment = {**os.environ, "TERM": term}
    leader, follower = pty.openpty()
    try:
        done = subprocess.run([sys.executable, "-c", code], stderr=follower, env=environment, check=False)
    finally:
        os.close(leader)
        os.close(follower)
    assert done.returncode == int(terminal)
    assert subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, check=False).returncode == 0


def test_an_output_is_no_terminal_unless_it_says_so():
    assert not CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=False).terminal
