"""The suite reports each deliberate violation under its clause, and is quiet about handlers that keep the contract."""

import json

import pytest

from formwork.contract.suite import run_suite
from formwork.simulate import Behaviour, Simulator
from support.contract_subjects import subject_of
from support.mutants import MUTANTS
from support.shapes import SHAPES


def test_there_are_enough_mutants_on_enough_shapes():
    cases = [(each, shape) for each in MUTANTS for shape in each.shapes]
    assert len(cases) >= 120
    assert {shape for _, shape in cases} == set(SHAPES)
    assert len({each.name for each in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(page_size=2),
        Behaviour(),
        Behaviour(stabilization=3, delay_seconds=30),
        Behaviour(lag=2, throttled=1, page_size=1),
    ],
    ids=["small pages", "plain", "slow", "lagging"],
)
@pytest.mark.parametrize("seed", range(2))
def test_conforming_handlers_raise_no_alarm(shape, behaviour, seed):
    schema = SHAPES[shape]()
    simulator = Simulator(schema, behaviour, seed=seed)
    result = run_suite(subject_of(simulator, schema, seed=seed))
    assert [f"{one.clause}: {one.message} {one.differences}" for one in result.findings] == []
    assert simulator.store.resources == {}
    assert result.leftovers == []


def test_the_same_seed_makes_the_same_requests():
    schema = SHAPES["named"]()

    def requests():
        result = run_suite(subject_of(Simulator(schema, seed=1), schema))
        bodies = [one.request["requestData"]["resourceProperties"] for test in result.tests for one in test.exchanges]
        return json.dumps(bodies)

    assert requests() == requests()
