"""The suite reports each deliberate violation under its clause, and is quiet about handlers that keep the contract."""

import json

import pytest

from formwork.contract import run_suite
from formwork.simulate import Behaviour, Simulator
from support.contract_subjects import subject_of
from support.mutants import MUTANTS, mutated
from support.shapes import SHAPES

CASES = [(each, shape) for each in MUTANTS for shape in each.shapes]
# Each mutant on one shape in every run, the shapes in turn; on all of them in `make conformance`.
_SOME = {(each.name, each.shapes[place % len(each.shapes)]) for place, each in enumerate(MUTANTS)}
PARAMETERS = [
    pytest.param(each, shape, id=f"{each.name}-{shape}", marks=() if (each.name, shape) in _SOME else pytest.mark.slow)
    for each, shape in CASES
]


def test_there_are_enough_mutants_on_enough_shapes():
    assert len(CASES) >= 120
    assert {shape for _, shape in CASES} == set(SHAPES)
    assert len({each.name for each in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize(("each", "shape"), PARAMETERS)
def test_a_mutant_is_killed_under_its_clause(each, shape):
    schema = SHAPES[shape]()
    result = run_suite(subject_of(mutated(each, schema), schema))
    reported = result.warned if each.warns else result.violated
    said = [f"{one.clause}: {one.message}" for one in result.findings]
    assert each.clause in reported, said
    if each.warns:
        assert result.passed, said


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
