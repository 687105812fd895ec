"""The same results on all cores as on one, in order; no process is left, whatever happens."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from formwork.command_context import all_cores
from formwork.command_context.all_cores import map_on_all_cores

FORKS = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux alone")
MANY = list(range(500))
SLEEPERS = """
import sys, time
from pathlib import Path
from formwork.command_context import all_cores

all_cores.os.sched_getaffinity = lambda _pid: {0, 1, 2}

def sleep(number):
    if number:
        (Path(sys.argv[1]) / str(all_cores.os.getpid())).touch()
        time.sleep(600)

all_cores.map_on_all_cores(sleep, range(500))
"""


@pytest.fixture
def cores(monkeypatch):
    """Says how many cores there are; afterwards none of the forks is left."""
    forks, fork = [], os.fork

    def noted():
        process = fork()
        if process:
            forks.append(process)
        return process

    def have(number):
        monkeypatch.setattr(all_cores.os, "sched_getaffinity", lambda _pid: set(range(number)), raising=False)
        monkeypatch.setattr(all_cores.os, "fork", noted)

    yield have
    for each in forks:
        with pytest.raises(ProcessLookupError):
            os.kill(each, 0)


class UnreadableError(Exception):
    """An error that cannot be read from a pickle."""

    def __init__(self, number, *, why):
        super().__init__(f"{number} {why}")


def square(number):
    return number * number, os.getpid()


@pytest.mark.parametrize("number", [1, 2, 3, 7])
@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 66, 500])
def test_results_are_in_the_order_of_the_items(cores, number, count):
    cores(number)
    found = map_on_all_cores(square, MANY[:count])
    assert [each for each, _ in found] == [each * each for each in MANY[:count]]
    if number == 1 or count < 64:
        assert {process for _, process in found} <= {os.getpid()}


@FORKS
@pytest.mark.parametrize("number", [2, 3])
def test_every_core_takes_part(cores, tmp_path, number):
    cores(number)

    def wait_for_all(item):
        if item:
            (tmp_path / str(os.getpid())).touch()
            while len(list(tmp_path.iterdir())) < number:
                time.sleep(0.001)
        return item

    assert map_on_all_cores(wait_for_all, MANY) == MANY
    assert len(list(tmp_path.iterdir())) == number


def test_more_items_than_blocks(cores):
    cores(3)
    assert [each for each, _ in map_on_all_cores(square, range(4321))] == [each * each for each in range(4321)]


@pytest.mark.parametrize("failing", [{0}, {1}, {2}, {250, 3, 499}, {498, 499}, {400, 401, 399}])
def test_the_first_error_in_order_is_raised(cores, failing):
    cores(3)

    def check(number):
        if number in failing:
            raise ValueError(number)
        return number

    with pytest.raises(ValueError, match=f"^{min(failing)}$"):
        map_on_all_cores(check, MANY)


@FORKS
def test_what_a_killed_process_should_have_found_is_found_here(cores):
    cores(3)
    here = os.getpid()

    def check(number):
        if os.getpid() != here and number > 100:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    assert map_on_all_cores(check, MANY) == MANY


def test_an_error_that_cannot_be_sent_is_raised(cores):
    cores(2)

    def check(number):
        if number == 300:
            raise UnreadableError(number, why="x")
        return number

    with pytest.raises(UnreadableError, match="300 x"):
        map_on_all_cores(check, MANY)


@FORKS
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_no_process(tmp_path, number):
    words = [sys.executable, "-c", SLEEPERS, str(tmp_path)]
    with subprocess.Popen(words, start_new_session=True, stderr=subprocess.DEVNULL) as process:
        while len(list(tmp_path.iterdir())) < 3:
            time.sleep(0.01)
        os.killpg(process.pid, number)  # as a terminal does
        process.wait()
    for each in tmp_path.iterdir():
        while Path("/proc", each.name).exists():  # a test that waits for ever is stopped
            time.sleep(0.01)
