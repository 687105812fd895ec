"""A violation that costs time is established three times; then the run goes on without paying it again, and says so."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from formwork.contract.inputs import GeneratedInputs
from formwork.contract.memory import Limits
from formwork.contract.recording import StopTestError
from formwork.contract.scheduling import TurnScheduler, YieldingTransport
from formwork.contract.subject import ResourceSubject
from formwork.contract.suite import run_suite
from formwork.invoke import Answer, HandlerSession, InProcessTransport
from formwork.simulate import Behaviour, Simulator
from support.contract_subjects import Clock, subject_of
from support.shapes import generated


def reasons(result):
    return {test.skipped for test in result.tests if test.skipped}


@pytest.mark.parametrize(
    ("action", "clause", "times"),
    [
        ("CREATE", "event.time.cud", 2),
        ("READ", "event.time.rl", 3),
        ("UPDATE", "event.time.cud", 2),
        ("DELETE", "event.time.cud", 2),
        ("LIST", "event.time.rl", 3),
    ],
)
def test_late_answers_are_waited_for_until_they_are_established(action, clause, times):
    """Three times, or for a hundred seconds: what waits for one another must be over within three minutes."""
    schema = generated()
    simulator = Simulator(schema, seed=1)
    asked = []

    def late(event, _context=None):
        answer = simulator(event)
        if event["action"] == action:
            asked.append(event)
            answer["_seconds"] = 31.0 if clause == "event.time.rl" else 61.0
        return answer

    result = run_suite(subject_of(late, schema))
    assert result.violated == {clause}
    assert len(asked) == times
    assert any(
        f"{action} was late" in each and "more than once and is not called again" in each for each in reasons(result)
    )


@pytest.mark.parametrize("delay", [0, 1, 60])
def test_a_create_without_an_end_is_followed_three_times(delay):
    """Each call takes a second: a thousand of them would take a quarter of an hour, for each of forty tests."""
    schema = generated()
    simulator = Simulator(schema, Behaviour(stabilization=100_000, delay_seconds=delay), seed=1)
    quick = Simulator(schema, seed=1)
    quick.store = simulator.store
    clock = Clock()

    def slow(event, _context=None):
        clock.now += 1.0
        return (simulator if event["action"] == "CREATE" else quick)(event)

    patience = clock.patience(20)
    session = HandlerSession(InProcessTransport(slow), schema.type_name, sleep=patience.sleep, clock=patience.clock)
    result = run_suite(ResourceSubject(schema, session, GeneratedInputs(schema, seed=1), patience=patience))
    assert result.violated == set()
    assert any(
        "gave up on CREATE after " in each and "after 3 times it is not called" in each for each in reasons(result)
    )
    assert clock.now < 180


def test_a_list_without_an_end_is_followed_three_times():
    schema = generated()
    simulator = Simulator(schema, seed=1)
    pages = []

    def endless(event, _context=None):
        if event["action"] != "LIST":
            return simulator(event)
        pages.append(event)
        page = len(pages)
        return {"status": "SUCCESS", "resourceModels": [{"Id": f"{page:012}"}], "nextToken": str(page)}

    result = run_suite(subject_of(endless, schema, limits=Limits(pages=20)))
    assert "list.ends" in result.violated
    assert len(pages) <= 3 * 20
    assert any("LIST never ended 3 times" in each for each in reasons(result))


def test_a_slow_invocation_leaves_the_turn_to_others():
    turns = TurnScheduler(lent_after=0.01)
    both = threading.Barrier(2, timeout=20)

    class Slow:
        def invoke(self, _payload, *, timeout=None):
            both.wait()  # comes to an end only where two invocations overlap
            return Answer(b"{}")

    transport = YieldingTransport(Slow(), turns)

    def invoke():
        turns.take()
        try:
            return transport.invoke({}).body
        finally:
            turns.give()

    with ThreadPoolExecutor(2) as threads:
        assert [each.result() for each in [threads.submit(invoke) for _ in range(2)]] == [b"{}", b"{}"]


def test_a_fast_invocation_keeps_the_turn():
    turns = TurnScheduler()
    now = []

    class Fast:
        def invoke(self, payload, *, timeout=None):
            now.append(1)
            assert len(now) == 1
            now.pop()
            return Answer(b"{}")

    transport = YieldingTransport(Fast(), turns)

    def invoke():
        turns.take()
        try:
            transport.invoke({})
        finally:
            turns.give()

    with ThreadPoolExecutor(4) as threads:
        for each in [threads.submit(invoke) for _ in range(40)]:
            each.result()


def test_who_lends_a_turn_gets_it_back_after_those_who_took_it():
    turns = TurnScheduler(lent_after=0.01)
    order = []
    turns.take()

    def other():
        turns.take()
        order.append("other")
        turns.give()

    thread = threading.Thread(target=other)
    with turns.lending():
        thread.start()
        thread.join(20)
        assert order == ["other"]
    order.append("mine")
    turns.give()
    assert order == ["other", "mine"]


def test_a_turn_that_nobody_took_meanwhile_is_not_asked_for_again(monkeypatch):
    turns = TurnScheduler(lent_after=0.0)
    turns.take()
    monkeypatch.setattr(turns, "take", None)
    with turns.lending():
        pass
    turns.give()


def test_a_stop_is_told_to_who_gets_a_lent_turn_back():
    turns = TurnScheduler(lent_after=0.0)

    def lend_until_stopped():
        with turns.stoppable(), turns.lending():
            thread = threading.Thread(target=lambda: (turns.take(), turns.give()))
            thread.start()
            thread.join(20)
            turns.stop()

    turns.take()
    with pytest.raises(StopTestError):
        lend_until_stopped()
    turns.give()
