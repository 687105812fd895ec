"""The time by which work is due, through jumps of the machine's clock and through lives of the process."""

import json
import sys
import time

import pytest

from formwork.durable import clock as clocks
from formwork.durable.clock import open_clock
from formwork.durable.state_folder import StateFolder

DAY = 86_400.0


@pytest.fixture
def state(tmp_path):
    return StateFolder(tmp_path)


@pytest.fixture
def jump(monkeypatch):
    real = time.time

    def set_clock(seconds):
        monkeypatch.setattr(time, "time", lambda: real() + seconds)

    return set_clock


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells one start of the machine from another")
@pytest.mark.parametrize("seconds", [-DAY, DAY])
def test_the_next_process_goes_on_with_unfinished_work(state, jump, seconds):
    before = open_clock(state, latest=0.0, continues=False)()
    jump(seconds)
    assert 0 <= open_clock(state, latest=0.0, continues=True)() - before < 60
    assert 0 <= open_clock(state, latest=before, continues=True)() - before < 60, "and so does the one after it"


def test_without_any_the_machines_clock_counts(state, jump):
    before = open_clock(state, latest=0.0, continues=False)()
    jump(DAY)
    assert open_clock(state, latest=before, continues=False)() - before >= DAY
    jump(-DAY)
    assert open_clock(state, latest=before, continues=False)() >= before


@pytest.mark.parametrize("noted", ["", "[]", '{"start": 5.0}', '{"boot": "another", "start": 5.0}', "damaged"])
def test_what_is_noted_of_another_start_of_the_machine_counts_for_nothing(state, noted):
    state.clock.write_text(noted)
    assert abs(open_clock(state, latest=0.0, continues=True)() - time.time()) < 60


@pytest.mark.parametrize("start", ["x", None, float("inf")])
def test_a_damaged_start_counts_for_nothing(state, start):
    state.clock.write_text(json.dumps({"boot": clocks._boot(), "start": start}))
    assert abs(open_clock(state, latest=0.0, continues=True)() - time.time()) < 60


def test_nothing_noted_counts_as_nothing(state):
    assert abs(open_clock(state, latest=0.0, continues=True)() - time.time()) < 60
    assert json.loads(state.clock.read_text()).keys() == {"boot", "start"}


def test_a_clock_continues_exactly(state):
    state.clock.write_text(json.dumps({"boot": clocks._boot(), "start": 1234.5}))
    assert open_clock(state, latest=0.0, continues=True).start == pytest.approx(1234.5, abs=0.001)
    assert open_clock(state, latest=0.0, continues=False).start > 1e6
    late = open_clock(state, latest=9e12, continues=True)
    assert late.start == pytest.approx(9e12 - clocks._elapsed(), abs=1)
    assert json.loads(state.clock.read_text()) == {"boot": clocks._boot(), "start": late.start}


@pytest.mark.parametrize("case", ["no folder", "another system"])
def test_where_boots_cannot_be_told_apart_nothing_is_noted(state, monkeypatch, case):
    if case == "another system":
        monkeypatch.setattr(sys, "platform", "darwin")
        assert clocks._boot() is None
    clock = open_clock(None if case == "no folder" else state, latest=9e12, continues=True)
    assert clock() >= 9e12
    assert not state.clock.exists()


def test_without_the_files_of_proc_boots_cannot_be_told_apart(monkeypatch):
    def fail(*_arguments, **_options):
        raise FileNotFoundError

    monkeypatch.setattr(clocks.Path, "read_text", fail)
    assert clocks._boot() is None


def test_a_note_that_cannot_be_written_is_left_out(state, monkeypatch):
    def fail(*_arguments):
        raise OSError

    monkeypatch.setattr(StateFolder, "write_file", fail)
    assert open_clock(state, latest=9e12, continues=False)() >= 9e12


def test_the_identifier_of_a_boot_has_both_parts():
    number, _, space = clocks._boot().partition(" ")
    assert len(number) == 36
    assert space.startswith("time:[")


def test_time_in_which_the_machine_was_suspended_counts(monkeypatch):
    asked = []
    monkeypatch.setattr(time, "clock_gettime", lambda clock: asked.append(clock) or 7.0)
    assert clocks._elapsed() == 7.0
    assert asked == [time.CLOCK_BOOTTIME]
    monkeypatch.delattr(time, "CLOCK_BOOTTIME")
    monkeypatch.setattr(time, "monotonic", lambda: 8.0)
    assert clocks._elapsed() == 8.0
