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
