"""Tests at a time: they overlap where they wait, find what they find alone, and clean up when they are stopped."""

import contextlib
import json
import threading
import time
from concurrent.futures import CancelledError

import pytest

from formwork.contract.inputs import GeneratedInputs, GivenInputs
from formwork.contract.patience import Patience
from formwork.contract.requirements import REQUIREMENTS
from formwork.contract.run_order import PlannedTest, RunOrder
from formwork.contract.scheduling import OverlappingTransport, TurnScheduler
from formwork.contract.subject import ResourceSubject
from formwork.contract.suite import applies, collect, run_requirement
from formwork.invoke import HandlerSession, InProcessTransport
from formwork.simulate import Behaviour, Simulator
from support.mutants import MUTANTS, mutated
from support.shapes import generated, named

DELAY = 0.05


class Overseen:
    """A transport that counts the invocations at a time."""

    def __init__(self, function):
        self._inner = InProcessTransport(function)
        self._lock = threading.Lock()
        self.now = self.most = 0

    def invoke(self, payload, *, timeout=None):
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            return self._inner.invoke(payload, timeout=timeout)
        finally:
            with self._lock:
                self.now -= 1


def run(function, schema, *, at_a_time=16, overlap=False, inputs=None, names=None, seed=3, course=RunOrder):
    """All tests, `at_a_time`; the result and the transport."""
    turns = TurnScheduler()
    patience = Patience(20, sleep=turns.sleep)
    overseen = Overseen(function)
    transport = OverlappingTransport(overseen, turns, limit=at_a_time) if overlap else overseen
    session = HandlerSession(transport, schema.type_name, sleep=patience.sleep, clock=patience.clock)
    inputs = inputs or GeneratedInputs(schema, seed=seed)
    subject = ResourceSubject(schema, session, inputs, patience=patience, examples=1)
    chosen = [
        each for each in REQUIREMENTS.values() if applies(each, subject) and (names is None or each.name in names)
    ]
    course = course([PlannedTest(each, subject) for each in chosen], turns, at_a_time=at_a_time, overlap=overlap)
    try:
        results = [course.result(place) for place in range(len(chosen))]
    finally:
        course.stop()
    return collect(subject, results), overseen


def delayed(schema, **behaviour):
    simulator = Simulator(schema, Behaviour(stabilization=1, page_size=2, **behaviour), seed=11)

    def function(event, context):
        answer = simulator(event, context)
        if "callbackDelaySeconds" in answer:
            answer["callbackDelaySeconds"] = DELAY
        return answer

    return simulator, function


def test_waits_overlap_and_invocations_take_turns():
    schema = generated()
    simulator, function = delayed(schema)
    names = [each for each in REQUIREMENTS if each != "contract_whole_life" and "invalid" not in each]
    started = time.perf_counter()
    result, overseen = run(function, schema, names=names)
    wall = time.perf_counter() - started
    waited = DELAY * sum(one.unfinished for test in result.tests for one in test.exchanges)
    assert [f"{each.clause}: {each.message}" for each in result.findings] == []
    assert wall < waited / 2
    assert overseen.most == 1
    assert simulator.store.resources == {}


@pytest.mark.parametrize("shape", [named, generated])
def test_invocations_overlap_where_that_is_asked_for(shape):
    schema = shape()
    simulator = Simulator(schema, Behaviour(stabilization=1, page_size=2), seed=11)
    lock = threading.Lock()

    def function(event, context):
        time.sleep(0.001)  # as any real handler: others get their chance
        with lock:
            return simulator(event, context)

    result, overseen = run(function, schema, at_a_time=4, overlap=True)
    assert 1 < overseen.most <= 4
    assert [f"{each.clause}: {each.message}" for each in result.findings] == []
    assert simulator.store.resources == {}


SOME = [each for each in MUTANTS if each.slow and not each.warns and "generated" in each.shapes][::3]
LISTING = [each for each in MUTANTS if each.clause in {"create.one", "delete.leak", "update.one", "list.token"}]


@pytest.mark.parametrize("each", [*SOME, *LISTING], ids=lambda each: each.name)
def test_a_mutant_is_killed_in_company(each):
    schema = generated()
    result, _ = run(mutated(each, schema), schema)
    assert each.clause in result.violated


def test_the_inputs_of_a_test_do_not_depend_on_its_company():
    def creates(names, **options):
        _, function = delayed(named())
        result, _ = run(function, named(), names=names, **options)
        return {
            test.name: [
                json.dumps(one.request["requestData"]["resourceProperties"])
                for one in test.exchanges
                if one.request["action"] == "CREATE" and not one.request.get("callbackContext")
            ]
            for test in result.tests
        }

    names = ["contract_create_read", "contract_update_read", "contract_list_pages", "contract_delete_list"]
    together = creates(names)
    assert together == creates(names, at_a_time=1)
    assert creates(["contract_update_read"]) == {"contract_update_read": together["contract_update_read"]}


def test_tests_that_want_the_same_name_run_one_after_another():
    schema = named()
    simulator, function = delayed(schema)
    create = {"Name": "abcdefghij", "Title": "one"}
    inputs = GivenInputs(schema, create=create, update={**create, "Title": "two"})
    result, _ = run(function, schema, inputs=inputs)
    assert [f"{each.clause}: {each.message}" for each in result.findings if each.is_violation] == []
    assert simulator.store.resources == {}


def test_what_only_company_causes_is_no_violation():
    """A service with room for two: in company a create may be refused, alone it never is."""
    schema = generated()
    simulator, function = delayed(schema)

    def small(event, context):
        fresh = event["action"] == "CREATE" and not event.get("callbackContext")
        if fresh and len(simulator.store.resources) >= 2 and event["bearerToken"] not in tokens():
            return {"status": "FAILED", "errorCode": "GeneralServiceException", "message": "no room"}
        return function(event, context)

    def tokens():
        return {each.token for each in simulator.store.resources.values()}

    names = ["contract_create_read", "contract_create_delete", "contract_read_read", "contract_update_list"]
    result, _ = run(small, schema, names=names)
    assert result.violated == frozenset()
    assert all("while other tests were at work" in each.message for each in result.findings)


def test_a_stop_ends_waits_and_deletes_what_was_made():
    schema = generated()
    simulator = Simulator(schema, Behaviour(), seed=11)

    def slow(event, context):
        answer = simulator(event, context)
        if event["action"] == "CREATE" and answer["status"] == "SUCCESS" and not event.get("callbackContext"):
            return {
                "status": "IN_PROGRESS",
                "resourceModel": answer["resourceModel"],
                "callbackContext": {"left": 0},
                "callbackDelaySeconds": 15,
            }
        return answer

    turns = TurnScheduler()
    patience = Patience(20, sleep=turns.sleep)
    session = HandlerSession(InProcessTransport(slow), schema.type_name, sleep=patience.sleep, clock=patience.clock)
    subject = ResourceSubject(schema, session, GeneratedInputs(schema), patience=patience)
    names = ["contract_create_read", "contract_create_delete", "contract_read_read"]
    course = RunOrder([PlannedTest(REQUIREMENTS[each], subject) for each in names], turns, at_a_time=3)

    def ask():
        with contextlib.suppress(CancelledError):
            course.result(0)

    asking = threading.Thread(target=ask, daemon=True)
    started = time.perf_counter()
    asking.start()
    while len(simulator.store.resources) < 3:
        time.sleep(0.01)
    course.stop()
    asking.join(10)
    assert time.perf_counter() - started < 10
    assert simulator.store.resources == {}


def test_a_failure_of_the_environment_reaches_who_asks():
    schema = generated()
    turns = TurnScheduler()

    def broken(requirement, subject):
        raise ZeroDivisionError

    session = HandlerSession(InProcessTransport(lambda _e, _c: {}), schema.type_name)
    subject = ResourceSubject(schema, session, GeneratedInputs(schema))
    course = RunOrder([PlannedTest(REQUIREMENTS["contract_create_read"], subject)], turns, at_a_time=2, run=broken)
    with pytest.raises(ZeroDivisionError):
        course.result(0)
    course.stop()
    assert run_requirement is not broken


def test_what_one_test_found_alone_is_not_looked_for_again_by_each():
    """A broken handler that asks for delays costs as many tests alone as it breaks clauses, not one for each test."""
    schema = generated()
    _, function = delayed(schema)

    def forgetful(event, context):
        answer = dict(function(event, context))
        if event["action"] == "CREATE" and answer["status"] == "SUCCESS":
            answer["resourceModel"] = {name: each for name, each in answer["resourceModel"].items() if name != "Title"}
        return answer

    alone = []

    class Counting(RunOrder):
        def _run_alone(self, place):
            alone.append(self._work[place].requirement.name)
            return super()._run_alone(place)

    result, _ = run(forgetful, schema, course=Counting)
    solitary = [name for name, each in REQUIREMENTS.items() if each.alone]
    assert "create.echo" in result.violated
    assert len(set(alone) - set(solitary)) <= len({each.clause for each in result.findings}) <= 4
