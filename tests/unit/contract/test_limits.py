"""What a run waits for, and what it no longer calls: limits, what it remembers of late answers, its patience."""

import json
import math

import pytest

from formwork.contract.memory import Limits, Memory
from formwork.contract.patience import Patience
from formwork.invoke import Answer, Exchange
from formwork.invoke.answer import UNHANDLED, parse_event


def answered(seconds, error=None):
    body = {"status": "SUCCESS"} if error is None else {"errorType": error, "errorMessage": "it ended"}
    answer = Answer(json.dumps(body).encode(), None if error is None else UNHANDLED, seconds)
    return Exchange({"action": "READ"}, answer, *parse_event(answer))


def test_limits_as_they_are_and_enforced():
    limits = Limits()
    assert [limits.seconds_for(each) for each in ("CREATE", "READ", "UPDATE", "DELETE", "LIST")] == [60, 30, 60, 60, 30]
    assert (limits.patience_calls, limits.pages, limits.calling_seconds) == (1000, 300, 60.0)
    assert (limits.repeats, limits.late_seconds, limits.unlimited) == (3, 100.0, False)
    assert limits.retry_delays == pytest.approx([0.1 * 2**attempt for attempt in range(len(limits.retry_delays))])
    enforced = Limits.enforced(5)
    assert (enforced.read_seconds, enforced.write_seconds, enforced.unlimited) == (5, 10, False)
    assert Limits.enforced(math.inf).unlimited


@pytest.mark.parametrize(
    ("exchange", "counts"),
    [
        (answered(5.0), False),
        (answered(5.1), True),
        (answered(0.1, "Sandbox.Timedout"), True),
        (answered(0.1, "Runtime.ExitError"), True),
        (answered(0.1, "KeyError"), False),
        (answered(5.1, "KeyError"), True),
    ],
)
def test_which_answers_count_as_late(exchange, counts):
    memory = Memory()
    memory.count_late("READ", exchange, 5.0)
    memory.count_late("READ", exchange, 5.0)
    seconds = exchange.answer.seconds
    assert memory.late == ({"READ": 2} if counts else {})
    assert memory.late_seconds == ({"READ": 2 * seconds} if counts else {})


@pytest.mark.parametrize(
    ("times", "seconds", "given_up"),
    [(1, 500.0, False), (2, 99.9, False), (2, 100.0, True), (3, 0.0, True), (4, 0.0, True), (0, 0.0, False)],
)
def test_an_action_that_is_late_is_not_called_for_ever(times, seconds, given_up):
    memory, limits = Memory(late={"READ": times}, late_seconds={"READ": seconds}), Limits()
    assert memory.has_given_up(limits) is given_up
    said = "READ was late, hung or ended its process more than once and is not called again"
    assert memory.why_not_called("READ", limits) == (said if given_up else None)
    assert memory.why_not_called("LIST", limits) is None
    assert memory.why_endless("READ", limits) is None


@pytest.mark.parametrize(("times", "given_up"), [(2, False), (3, True), (4, True)])
def test_an_action_that_does_not_end_is_not_called_for_ever(times, given_up):
    memory, limits = Memory(endless={"LIST": times}), Limits()
    assert memory.has_given_up(limits) is given_up
    said = f"LIST never ended {times} times and is not called again"
    assert memory.why_not_called("LIST", limits) == memory.why_endless("LIST", limits) == (said if given_up else None)
    memory.given_up["LIST"] = "it asked for a month"
    said = f"it asked for a month; after {times} times it is not called again"
    assert memory.why_endless("LIST", limits) == (said if given_up else None)
    assert memory.why_not_called("READ", limits) is None


class Clock:
    def __init__(self):
        self.now, self.slept = 100.0, []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


def patience(seconds):
    clock = Clock()
    return Patience(seconds, sleep=clock.sleep, clock=clock), clock


def test_waiting_beyond_the_share_is_counted_only():
    found, clock = patience(10.0)
    assert (found.seconds_of_calls(), found.real_seconds(), found.has_skipped, found.clock()) == (
        0.0,
        0.0,
        False,
        100.0,
    )
    found.begin()
    found.sleep(4.0)
    assert (clock.slept, found.has_skipped, found.real_seconds()) == ([4.0], False, 4.0)
    found.sleep(9.0)
    assert (clock.slept, found.has_skipped, found.clock(), found.real_seconds()) == ([4.0, 6.0], True, 113.0, 10.0)
    found.sleep(5.0)
    assert (clock.slept, found.clock(), found.seconds_of_calls()) == ([4.0, 6.0], 118.0, 0.0)
    clock.now += 7.0
    assert (found.seconds_of_calls(), found.real_seconds(), found.clock()) == (7.0, 17.0, 125.0)
    found.begin()
    assert (found.has_skipped, found.real_seconds(), found.seconds_of_calls()) == (False, 0.0, 0.0)
    found.sleep(10.0)
    assert (clock.slept, found.has_skipped, found.clock()) == ([4.0, 6.0, 10.0], False, 135.0)


def test_who_is_impatient_waits_for_nothing():
    found, clock = patience(10.0)
    found.begin(impatient=True)
    found.sleep(4.0)
    assert (clock.slept, found.has_skipped, found.clock()) == ([], True, 104.0)
    clock.now += 3.0
    assert found.seconds_of_calls() == 3.0
    endless, clock = patience(None)
    endless.begin(impatient=True)
    endless.sleep(1e6)
    assert (clock.slept, endless.has_skipped, endless.seconds_of_calls()) == ([1e6], False, 0.0)


def test_before_the_first_operation_the_share_is_that_of_one():
    found, clock = patience(3.0)
    found.sleep(5.0)
    assert (clock.slept, found.clock()) == ([3.0], 105.0)


def test_calls_without_waiting_are_counted():
    found, _ = patience(1.0)
    assert [found.count_call(), found.count_call()] == [1, 2]
    found.begin()
    assert found.count_call() == 1
    found.sleep(1.0)
    assert [found.count_call(), found.count_call()] == [1, 2]
    found.sleep(1.0)  # only counted
    assert found.count_call() == 3
