"""A handler that nobody lets in says nothing of resources: it is not accused of what it never got as far as to do."""

import pytest

from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.simulate import Simulator
from formwork.simulate.simulator import failure
from support.contract_subjects import subject_of
from support.shapes import SHAPES

MISSING = {"read.missing", "update.missing", "delete.missing"}
STRANGERS = ["contract_read_without_create", "contract_update_without_create", "contract_delete_without_create"]


def run(answer, shape="named", names=None):
    """Run the suite over a simulator whose answers `answer(event, answer)` may replace."""
    schema = SHAPES[shape]()
    simulator = Simulator(schema, seed=5)

    def function(event, _context=None):
        refused = answer(event, simulator)
        return simulator(event) if refused is None else refused

    return run_suite(subject_of(function, schema), names=names)


def clauses(result):
    return {each.clause: each for each in result.clauses}


@pytest.mark.parametrize("shape", ["named", "generated"])
@pytest.mark.parametrize("code", ["InvalidCredentials", "AccessDenied", "InvalidTypeConfiguration"])
def test_handlers_that_nobody_lets_in_are_not_accused_of_what_is_missing(shape, code):
    result = run(lambda _event, _simulator: failure(code, "who are you?"), shape)
    assert result.violated == {"create.applied", "list.array"}
    found = clauses(result)
    assert {found[each].state for each in MISSING} == {ClauseState.NOT_TESTED}
    assert f"READ is FAILED with {code}, which says nothing of the resource" in found["read.missing"].reason


def test_a_service_that_is_out_of_reach_is_none_that_has_nothing():
    result = run(lambda _event, _simulator: failure("NetworkFailure", "no route"), names=STRANGERS)
    assert result.violated & MISSING == set()
    assert {clauses(result)[each].state for each in MISSING} == {ClauseState.NOT_TESTED}


@pytest.mark.parametrize("names", [None, STRANGERS], ids=["all", "no test that creates"])
@pytest.mark.parametrize("code", ["InvalidCredentials", "AccessDenied"])
def test_it_is_a_violation_where_creates_succeed(code, names):
    def answer(event, simulator):
        found = simulator(event) if event["action"] in {"READ", "DELETE"} else None
        missing = found is not None and found["status"] == "FAILED" and found["errorCode"] == "NotFound"
        return failure(code, "who are you?") if missing else found

    result = run(answer, names=names)
    assert {"read.missing", "delete.missing"} <= result.violated
    assert result.leftovers == []


@pytest.mark.parametrize("code", ["InternalFailure", "GeneralServiceException", "InvalidRequest"])
def test_other_codes_are_answers_that_are_wrong(code):
    result = run(lambda _event, _simulator: failure(code, "no"), names=STRANGERS)
    assert result.violated >= MISSING
