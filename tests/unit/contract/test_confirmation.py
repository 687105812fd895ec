"""Findings of tests that ran beside others: which are looked for again, and what stays of those not found again."""

import json
import threading
from concurrent.futures import Future

import pytest

from formwork.contract.requirements import REQUIREMENTS
from formwork.contract.run_order import PlannedTest, RunOrder, confirmed, needs_solitude
from formwork.contract.scheduling import TurnScheduler
from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import Finding
from formwork.contract_results.test_result import TestResult
from formwork.invoke import Answer, Exchange
from support.contract_subjects import subject_of
from support.shapes import named

ECHO = Finding("create.echo", Level.MUST, "not what was requested")
EVENT = Finding("event.shape", Level.MUST, "not of the schema")
LIST = Finding("create.list", Level.SHOULD, "not listed")


def result(*findings, codes=(), **more):
    exchanges = tuple(
        Exchange({"action": "CREATE"}, Answer(json.dumps(code).encode()), code and {"errorCode": code}, None)
        for code in codes
    )
    given = {"leftovers": (), "seconds": 1.0, **more}
    return TestResult("contract_create_read", findings, exchanges, **given)


@pytest.mark.parametrize(
    ("found", "settled", "again"),
    [
        (result(), (), False),
        (result(EVENT), (), False),
        (result(ECHO), (), True),
        (result(EVENT, ECHO), (), True),
        (result(ECHO), {("create.echo", Level.MUST)}, False),
        (result(ECHO), {("create.echo", Level.SHOULD)}, True),
        (result(ECHO, LIST), {("create.echo", Level.MUST)}, True),
        (result(codes=["NotFound", None]), (), False),
        *((result(codes=["NotFound", each]), (), True) for each in ("ServiceLimitExceeded", "Throttling")),
        (result(codes=["ResourceConflict"]), (), True),
    ],
)
def test_what_is_looked_for_again(found, settled, again):
    assert needs_solitude(found, settled) is again


def test_what_is_not_found_again_is_a_warning():
    before = result(ECHO, EVENT, LIST, codes=["a"], leftovers=({"Name": "x"},), seconds=2.0)
    alone = result(LIST, codes=["b"], leftovers=({"Name": "y"},), seconds=3.0, skipped="why")
    found = confirmed(before, alone)
    doubted = "not what was requested (seen while other tests were at work, and not again)"
    assert found.findings == (LIST, Finding("create.echo", Level.SHOULD, doubted), EVENT)
    assert found.leftovers == ({"Name": "x"}, {"Name": "y"})
    assert [each.event["errorCode"] for each in found.exchanges] == ["a", "b"]
    assert (found.seconds, found.skipped, found.name) == (5.0, "why", "contract_create_read")
    assert confirmed(before, alone, overlap=True).findings == (LIST, EVENT)


def test_a_test_has_ended_when_its_finding_needs_no_confirmation():
    subject = subject_of(None, named())
    work = [PlannedTest(REQUIREMENTS["contract_create_read"], subject)] * 6
    order = RunOrder(work, TurnScheduler(), at_a_time=2)
    clean, doubtful = result(), result(ECHO)
    for place, outcome in enumerate((clean, doubtful, doubtful, ValueError("broken"), None)):
        future = order._futures[place]
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        elif outcome is None:
            future.cancel()
        else:
            future.set_result(outcome)
    order._accompanied = {0, 1}
    assert [order.finished(place) for place in range(6)] == [clean, None, doubtful, None, None, None]
    order._settled = {("create.echo", Level.MUST)}
    assert order.finished(1) == doubtful
    assert isinstance(order._futures[5], Future)


def test_a_stop_waits_half_a_minute_for_those_who_clean_up():
    joined, order = [], RunOrder([], TurnScheduler(), at_a_time=1)

    class Thread:
        def join(self, seconds):
            joined.append(seconds)

    order._dispatcher, order._threads = Thread(), [Thread(), Thread()]
    order.stop()
    assert joined == [30.0] * 3
    assert order._stopped
    assert order._turns._stop.is_set()


def test_an_answer_that_never_comes_does_not_keep_the_process_alive(monkeypatch):
    started = []

    class Noted(threading.Thread):
        def start(self):
            started.append(self.daemon)
            super().start()

    monkeypatch.setattr(threading, "Thread", Noted)
    work = [PlannedTest(REQUIREMENTS["contract_create_read"], subject_of(None, named()))]
    clean = result()
    assert RunOrder(work, TurnScheduler(), at_a_time=1, run=lambda *_: clean).result(0) is clean
    assert started == [True, True]
