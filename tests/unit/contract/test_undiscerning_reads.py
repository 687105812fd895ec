"""A READ that succeeds for whatever it is asked shows nothing: neither what a create left, nor what a delete didn't."""

import pytest

from formwork.contract.inputs import GivenInputs
from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.simulate import Simulator
from formwork.simulate.simulator import failure
from support.contract_subjects import subject_of
from support.shapes import SHAPES


def finding_anything(schema, *, keeps=False):
    """Handlers whose READ answers with the model in its request; every create fails, with `keeps` after its work."""
    simulator = Simulator(schema, seed=5)

    def function(event, _context=None):
        model = event["requestData"]["resourceProperties"]
        if event["action"] == "CREATE":
            if keeps:
                simulator(event)
            return failure("GeneralServiceException", "no")
        return {"status": "SUCCESS", "resourceModel": model} if event["action"] == "READ" else simulator(event)

    return function


def state_of(result, clause):
    return next(each for each in result.clauses if each.clause == clause)


@pytest.mark.parametrize("shape", ["named", "composite"])
def test_a_failed_create_is_not_said_to_have_left_what_any_read_finds(shape):
    schema = SHAPES[shape]()
    result = run_suite(subject_of(finding_anything(schema), schema), names=["contract_create_read"])
    assert result.violated == {"create.applied"}
    assert state_of(result, "event.identifier").state is ClauseState.NOT_TESTED
    assert "never created" in state_of(result, "event.identifier").reason
    assert result.leftovers == []


def test_the_read_of_what_was_never_created_is_judged_all_the_same():
    schema = SHAPES["named"]()
    function = finding_anything(schema)
    simulator = Simulator(schema, seed=5)

    def creating(event, context=None):
        return simulator(event) if event["action"] != "READ" else function(event, context)

    result = run_suite(subject_of(creating, schema), names=["contract_read_without_create", "contract_create_read"])
    assert "read.missing" in result.violated


def test_given_inputs_are_told_apart_too():
    schema = SHAPES["named"]()
    given = GivenInputs(schema, create=next(iter(subject_of(None, schema).inputs.several(1))))
    subject = subject_of(finding_anything(schema), schema)
    subject.inputs = given
    assert "event.identifier" not in run_suite(subject).violated


def test_one_read_tells_and_a_resource_left_behind_is_still_found():
    schema = SHAPES["named"]()
    simulator, asked = Simulator(schema, seed=5), []

    def function(event, _context=None):
        asked.append(event["action"])
        answer = simulator(event)
        return failure("NotStabilized", "gave up") if event["action"] == "CREATE" else answer

    result = run_suite(subject_of(function, schema), names=["contract_create_read"])
    assert result.violated == {"event.identifier", "create.applied"}
    assert asked == ["CREATE", "READ", "READ", "DELETE"]
    assert simulator.store.resources == {}


def test_a_delete_by_an_additional_identifier_is_not_said_to_have_done_nothing():
    """The read after it finds the resource, as it finds anything, and a second delete succeeds, as any does."""
    schema = SHAPES["composite"]()
    simulator, known = Simulator(schema, seed=5), {}

    def function(event, _context=None):
        wanted = event["requestData"]["resourceProperties"]
        answer = simulator(event)
        if event["action"] == "CREATE":
            known[answer["resourceModel"]["Name"]] = answer["resourceModel"]
        if event["action"] == "READ" and answer["status"] == "FAILED" and "Name" in wanted:
            return {"status": "SUCCESS", "resourceModel": known.get(wanted["Name"], wanted)}
        return {"status": "SUCCESS"} if event["action"] == "DELETE" else answer

    result = run_suite(subject_of(function, schema), names=["contract_delete_additional"])
    assert "delete.additional" not in result.violated
    assert state_of(result, "delete.additional").state is ClauseState.NOT_TESTED
