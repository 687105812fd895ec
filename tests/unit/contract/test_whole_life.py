"""Sequences find what tests of one resource cannot, and shrink it."""

import contextlib
import re

import pytest

from formwork.contract import machine, run_suite
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.store import ServiceError
from support.contract_subjects import subject_of
from support.shapes import generated, named


@pytest.fixture(autouse=True)
def enough_time(monkeypatch):
    """On a busy machine the shortest sequence would not be found within the seconds that users are made to wait."""
    for effort in machine.SECONDS:
        monkeypatch.setitem(machine.SECONDS, effort, 600.0)


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
