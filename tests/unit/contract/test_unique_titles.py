"""A type may keep more unique than its identifiers: what the suite itself has taken is no fault of the handlers."""

import threading

import pytest

from formwork.contract import subject as subject_module
from formwork.contract.inputs import GeneratedInputs, GivenInputs
from formwork.contract.memory import Memory
from formwork.contract.patience import Patience
from formwork.contract.requirements import REQUIREMENTS
from formwork.contract.run_order import PlannedTest, RunOrder
from formwork.contract.scheduling import TurnScheduler
from formwork.contract.subject import ResourceSubject
from formwork.contract.suite import applies, collect, run_suite
from formwork.invoke import HandlerSession, InProcessTransport
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.simulator import failure
from support.shapes import generated

DELAY = 0.02


def create_model(number):
    return {"Title": f"title {number}", "Size": number, "Kind": "small"}


def update_model(number):
    return {**create_model(number), "Title": f"changed {number}"}


class UniqueTitles:
    """Handlers of a type that has one resource of a title; `clashes` counts the refusals."""

    def __init__(self, behaviour, *, broken_delete=False):
        self.schema = generated()
        self.simulator = Simulator(self.schema, behaviour, seed=7)
        self.clashes = 0
        self._broken_delete = broken_delete
        self._lock = threading.Lock()

    def __call__(self, event, context=None):
        with self._lock:
            desired = event["requestData"]["resourceProperties"] or {}
            action, first = event["action"], not event.get("callbackContext")
            if action in {"CREATE", "UPDATE"} and first and self._taken(desired, event["bearerToken"]):
                self.clashes += 1
                return failure("AlreadyExists" if action == "CREATE" else "InvalidRequest", "the title is taken")
            if action == "DELETE" and self._broken_delete and self._key(desired) in self.simulator.store.resources:
                return failure("GeneralServiceException", "no")
            answer = self.simulator(event)
            if "callbackDelaySeconds" in answer:
                answer["callbackDelaySeconds"] = DELAY
            return answer

    def _key(self, desired):
        return self.simulator.store.key_of(desired)

    def _taken(self, desired, token):
        return any(
            each.model.get("Title") == desired.get("Title") and each.token != token and key != self._key(desired)
            for key, each in self.simulator.store.resources.items()
        )


def inputs_of(schema, kind):
    match kind:
        case "generated":
            return [GeneratedInputs(schema, seed=3)]
        case "overridden":
            return [GeneratedInputs(schema, seed=3, create_overrides={("Title",): "title 1"})]
        case count:
            return [
                GivenInputs(
                    schema,
                    create=create_model(number),
                    update=update_model(number),
                    others=[create_model(other) for other in range(1, count + 1) if other != number],
                )
                for number in range(1, count + 1)
            ]


def run(handlers, kind, *, at_a_time):
    turns = TurnScheduler()
    patience = Patience(20, sleep=turns.sleep) if at_a_time > 1 else Patience(0)
    session = HandlerSession(
        InProcessTransport(handlers), handlers.schema.type_name, sleep=patience.sleep, clock=patience.clock
    )
    memory = Memory()
    subjects = [
        ResourceSubject(handlers.schema, session, inputs, patience=patience, memory=memory, examples=8)
        for inputs in inputs_of(handlers.schema, kind)
    ]
    work = [
        PlannedTest(each, subject) for each in REQUIREMENTS.values() for subject in subjects if applies(each, subject)
    ]
    if at_a_time == 1:
        return collect(subjects[0], [test for subject in subjects for test in run_suite(subject).tests])
    course = RunOrder(work, turns, at_a_time=at_a_time)
    try:
        results = [course.result(place) for place in range(len(work))]
    finally:
        course.stop()
    return collect(subjects[0], results)


@pytest.mark.parametrize("at_a_time", [1, 16])
@pytest.mark.parametrize("kind", ["generated", "overridden", 1, 3])
def test_a_type_that_keeps_titles_unique_is_not_accused(kind, at_a_time):
    handlers = UniqueTitles(Behaviour(stabilization=1, page_size=2))
    result = run(handlers, kind, at_a_time=at_a_time)
    assert [f"{each.clause}: {each.message}" for each in result.findings if each.clause != "practice.invalid"] == []
    assert handlers.simulator.store.resources == {}
    proved = result.proved
    assert {"create.applied", "create.list", "create.one", "update.applied", "delete.minimal", "delete.read"} <= proved
    if kind == 1:
        reasons = {test.open["list.token"].reason for test in result.tests if "list.token" in test.open}
        assert any("inputs_2_create.json" in each for each in reasons)
    if kind == 3:
        assert "list.token" in proved


@pytest.mark.parametrize("kind", [1, 3])
def test_a_failed_delete_is_not_followed_by_a_second_accusation(kind):
    handlers = UniqueTitles(Behaviour(page_size=2), broken_delete=True)
    result = run(handlers, kind, at_a_time=1)
    assert result.violated == {"delete.minimal"}, [f"{each.clause}: {each.message}" for each in result.findings]


def test_tests_with_the_same_input_overlap_once_the_type_is_seen_to_have_twins():
    handlers = UniqueTitles(Behaviour(stabilization=1, page_size=2))
    handlers._taken = lambda _desired, _token: False
    most = [0]
    inner = handlers.simulator

    def counted(event, context=None):
        answer = inner(event, context)
        most[0] = max(most[0], len(inner.store.resources))
        return answer

    handlers.simulator = counted
    result = run(handlers, 1, at_a_time=16)
    assert result.violated == frozenset()
    assert most[0] > 3


def test_where_creates_are_slow_each_test_runs_with_one_input_set(monkeypatch):
    monkeypatch.setattr(subject_module, "SLOW_CREATE", DELAY / 4)
    handlers = UniqueTitles(Behaviour(stabilization=1, page_size=2))
    result = run(handlers, 3, at_a_time=16)
    ran = {}
    for test in result.tests:
        ran.setdefault(test.name, []).append("another input set" not in (test.skipped or ""))
    names = {name for name in ran if REQUIREMENTS[name].each_input}
    assert {name for name, each in ran.items() if all(each)} >= names
    assert all(any(each) for each in ran.values())
    others = [each for name, each in ran.items() if name not in names]
    assert sum(each.count(True) == 1 for each in others) > len(others) / 2
    assert result.violated == frozenset()
