"""Sequences find what tests of one resource cannot, and shrink it."""

import contextlib
import itertools
import re

import pytest

from formwork.contract import lives
from formwork.contract.memory import Memory
from formwork.contract.suite import run_suite
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.store import ServiceError
from support.contract_subjects import subject_of
from support.shapes import composite, generated, named


@pytest.fixture(autouse=True)
def enough_time(monkeypatch):
    """On a busy machine the shortest sequence would not be found within the seconds that users are made to wait."""
    for effort in lives.SECONDS:
        monkeypatch.setitem(lives.SECONDS, effort, 600.0)


def delete_takes_a_neighbour_along(simulator, event):
    if event["action"] == "DELETE":
        others = [key for key, each in simulator.store.resources.items() if key != _key(simulator, event)]
        if others and _key(simulator, event) in simulator.store.resources:
            del simulator.store.resources[others[0]]
    return simulator(event)


def update_writes_to_all(simulator, event):
    answer = simulator(event)
    if event["action"] == "UPDATE" and answer["status"] == "SUCCESS":
        for each in simulator.store.resources.values():
            each.model["Size"] = answer["resourceModel"].get("Size", 1)
    return answer


def third_create_is_the_first(simulator, event):
    if event["action"] == "CREATE" and len(simulator.store.resources) >= 2:
        first = next(iter(simulator.store.resources.values()))
        return {"status": "SUCCESS", "resourceModel": simulator.shown(first)}
    return simulator(event)


def one_at_a_time(simulator, event):
    """State outside the callback context: two creates at a time mix up their titles."""
    if event["action"] == "CREATE":
        data = event["requestData"]["resourceProperties"]
        if not event.get("callbackContext"):
            simulator.current = data.get("Title")
        elif simulator.current is not None:
            with contextlib.suppress(ServiceError):
                simulator.store.find(data).model["Title"] = simulator.current
    return simulator(event)


def _key(simulator, event):
    return simulator.store.key_of(event["requestData"]["resourceProperties"] or {})


MUTANTS = [
    (delete_takes_a_neighbour_along, Behaviour(), "create.read.primary"),
    (update_writes_to_all, Behaviour(), "create.applied"),
    (third_create_is_the_first, Behaviour(), "create.one"),
    (one_at_a_time, Behaviour(stabilization=1), "create.echo"),
]


@pytest.mark.parametrize(("change", "behaviour", "clause"), MUTANTS, ids=[each[0].__name__ for each in MUTANTS])
def test_a_sequence_shows_what_one_resource_does_not(change, behaviour, clause):
    schema = generated()
    simulator = Simulator(schema, behaviour, seed=4)
    subject = subject_of(lambda event, _context: change(simulator, event), schema, examples=80, seed=2)
    result = run_suite(subject, names=["contract_whole_life"])
    assert clause in result.violated, [f"{each.clause}: {each.message}" for each in result.findings]
    (steps,) = {re.search(r"in the sequence (.*)\)", each.message)[1] for each in result.findings}
    assert len(steps.split(" → ")) <= 4
    assert result.findings[0].exchanges


def test_the_same_seed_finds_the_same_sequence():
    def found():
        schema = generated()
        simulator = Simulator(schema, seed=4)
        subject = subject_of(lambda event, _: update_writes_to_all(simulator, event), schema, examples=60, seed=9)
        return [each.message for each in run_suite(subject, names=["contract_whole_life"]).findings]

    assert found() == found() != []


@pytest.mark.parametrize("schema", [named(), generated()], ids=["named", "generated"])
def test_conforming_handlers_live_without_alarm(schema):
    simulator = Simulator(schema, Behaviour(stabilization=1, page_size=2), seed=4)
    result = run_suite(subject_of(simulator, schema, examples=60), names=["contract_whole_life"])
    assert [f"{each.clause}: {each.message}" for each in result.findings] == []
    assert simulator.store.resources == {}


def with_slow_creates(function, schema, **options):
    """A subject of which the tests before have seen that a create takes two seconds."""
    return subject_of(function, schema, memory=Memory(fastest_create=2.0), examples=None, **options)


@pytest.mark.parametrize(("change", "behaviour", "clause"), MUTANTS, ids=[each[0].__name__ for each in MUTANTS])
def test_a_short_sequence_shows_the_same_where_creates_are_slow(change, behaviour, clause):
    schema = generated()
    simulator = Simulator(schema, behaviour, seed=4)
    subject = with_slow_creates(lambda event, _context: change(simulator, event), schema)
    result = run_suite(subject, names=["contract_whole_life"])
    assert clause in result.violated, [f"{each.clause}: {each.message}" for each in result.findings]
    assert "in the sequence create_interleaved" in result.findings[0].message


@pytest.mark.parametrize("schema", [named(), generated(), composite()], ids=["named", "generated", "composite"])
def test_a_short_sequence_is_said_to_be_short(schema):
    simulator = Simulator(schema, Behaviour(stabilization=1, page_size=2), seed=4)
    result = run_suite(with_slow_creates(simulator, schema), names=["contract_whole_life"])
    assert result.findings == []
    assert simulator.store.resources == {}
    assert "all 11 steps of one short sequence were tried instead of 8 sequences" in result.tests[0].skipped


def test_a_short_sequence_ends_with_its_time_after_three_steps_at_least(monkeypatch):
    seconds = itertools.count(step=100.0)
    monkeypatch.setattr(lives.time, "monotonic", lambda: next(seconds))
    asked = []
    simulator = Simulator(generated(), seed=4)

    def function(event, _context=None):
        asked.append(event["action"])
        return simulator(event)

    result = run_suite(with_slow_creates(function, generated()), names=["contract_whole_life"])
    assert "a create takes 2.0 s, so that 3 of the 11 steps" in result.tests[0].skipped
    assert {"CREATE", "UPDATE", "DELETE", "READ", "LIST"} == set(asked)
    assert asked.count("CREATE") == 2
    assert simulator.store.resources == {}


def test_a_short_sequence_says_what_stopped_it():
    memory = Memory(fastest_create=2.0, late={"CREATE": 3})
    subject = subject_of(Simulator(generated(), seed=4), generated(), memory=memory, examples=None)
    (test,) = run_suite(subject, names=["contract_whole_life"]).tests
    assert "0 of the 11 steps of one short sequence (CREATE was late" in test.skipped
