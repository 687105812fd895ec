"""The suite is quiet about handlers that keep the contract in ways that few do."""

import pytest

from formwork.contract.suite import run_suite
from support.awkward import AWKWARD, handlers_of, schema_of
from support.contract_subjects import subject_of

CASES = [(each, shape) for each in AWKWARD for shape in each.shapes]
# Of every fifth one shape in every run, the shapes in turn; all of them in `make conformance`.
SAMPLE = [(each, each.shapes[place % len(each.shapes)]) for place, each in enumerate(AWKWARD[::5])]


def ids(cases):
    return [f"{each.name}-{shape}" for each, shape in cases]


def expect_quiet(each, shape, *, seed=3, **options):
    schema = schema_of(shape)
    function, simulator = handlers_of(each, schema, seed=seed)
    result = run_suite(subject_of(function, schema, seed=seed, **options))
    assert each.false_alarms(result) == []
    assert simulator.store.resources == {}
    assert result.leftovers == []


def test_there_are_enough_awkward_handlers():
    assert len({each.name for each in AWKWARD}) == len(AWKWARD) >= 80


@pytest.mark.parametrize(("each", "shape"), SAMPLE, ids=ids(SAMPLE))
def test_an_awkward_handler_raises_no_alarm(each, shape):
    expect_quiet(each, shape)


@pytest.mark.slow
@pytest.mark.parametrize(("each", "shape"), CASES, ids=ids(CASES))
@pytest.mark.parametrize("seed", range(3))
def test_no_awkward_handler_raises_an_alarm(each, shape, seed):
    expect_quiet(each, shape, seed=seed, examples=10)
