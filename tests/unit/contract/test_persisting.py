"""A retriable failure that no retry helps is a finding that says so, and no other clause is accused of it."""

import itertools

import pytest

from formwork.contract.memory import Limits
from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.simulate import Simulator
from formwork.simulate.simulator import failure
from support.contract_subjects import subject_of
from support.hooks import conforming, hook_subject
from support.shapes import SHAPES


def persisting(action, code):
    """Handlers of which one keeps failing, their schema, and the requests that it got."""
    schema = SHAPES["generated"]()
    simulator = Simulator(schema, seed=5)
    asked = []

    def function(event, _context=None):
        if event["action"] != action:
            return simulator(event)
        asked.append(event)
        known = action in {"CREATE", "LIST"} or _is_there(simulator, event)
        return failure(code, "try again later") if known else simulator(event)

    return function, schema, asked


def _is_there(simulator, event):
    return simulator.store.key_of(event["requestData"]["resourceProperties"] or {}) in simulator.store.resources


@pytest.mark.parametrize(
    ("action", "code", "clause"),
    [
        ("CREATE", "Throttling", "create.applied"),
        ("READ", "ServiceInternalError", "create.read.primary"),
        ("UPDATE", "ResourceConflict", "update.applied"),
        ("DELETE", "NetworkFailure", "delete.minimal"),
        ("LIST", "Throttling", "list.array"),
    ],
)
def test_a_failure_that_persists_is_a_finding_that_says_so(action, code, clause):
    function, schema, asked = persisting(action, code)
    result = run_suite(subject_of(function, schema))
    assert {each.clause for each in result.findings} == {clause}
    assert {each.message for each in result.findings} == {
        f"{action} is FAILED with {code} each of the 5 times that the request was sent"
    }
    retried = [one for one, other in itertools.pairwise(asked) if one == other]
    assert len(retried) == 3 * 4  # three operations, after which retries are known not to help


@pytest.mark.parametrize("action", ["CREATE", "READ", "UPDATE", "DELETE", "LIST"])
def test_a_retry_has_the_token_and_the_context_of_the_request(action):
    schema = SHAPES["generated"]()
    simulator = Simulator(schema, seed=5)
    asked = []

    def function(event, _context=None):
        if event["action"] == action:
            asked.append(event)
            if len(asked) == 1:
                return failure("Throttling", "slow down")
        return simulator(event)

    result = run_suite(subject_of(function, schema), names=["contract_update_list", "contract_update_read"])
    assert result.findings == []
    assert asked[0] == asked[1]


def test_without_retries_a_transient_failure_is_accused():
    function, schema, _ = persisting("READ", "Throttling")
    result = run_suite(subject_of(function, schema, limits=Limits(retry_delays=())))
    assert not any("5 times" in each.message for each in result.findings)


def test_a_create_that_failed_and_made_the_resource_cannot_be_retried():
    """FAILED without a model, and the resource is there: the retry says AlreadyExists."""
    schema = SHAPES["named"]()
    simulator = Simulator(schema, seed=5)
    tokens = set()

    def function(event, _context=None):
        if event["action"] != "CREATE":
            return simulator(event)
        if event["bearerToken"] in tokens:
            return failure("AlreadyExists", "it is there")
        tokens.add(event["bearerToken"])
        answer = simulator(event)
        return failure("ServiceInternalError", "oh") if answer["status"] == "SUCCESS" else answer

    result = run_suite(subject_of(function, schema), names=["contract_create_read"])
    assert result.violated == {"event.identifier"}
    assert result.warned == {"create.idempotent"}
    assert simulator.store.resources == {}


def test_a_hook_that_fails_for_a_moment_has_judged_nothing():
    tokens = set()

    def function(event, _context=None):
        if event["clientRequestToken"] in tokens:
            return conforming(event)
        tokens.add(event["clientRequestToken"])
        return {"hookStatus": "FAILED", "errorCode": "Throttling", "message": "slow down"}

    assert run_suite(hook_subject(function)).findings == []


def test_a_hook_that_keeps_failing_has_no_answer_for_its_target():
    def function(_event, _context=None):
        return {"hookStatus": "FAILED", "errorCode": "ServiceInternalError", "message": "slow down"}

    result = run_suite(hook_subject(function))
    assert {each.clause for each in result.findings} == {"hook.targets"}
    assert all("5 times" in each.message for each in result.findings)
    assert not [each.clause for each in result.clauses if each.state is ClauseState.PROVED]


def test_a_hook_that_refuses_with_resource_conflict_has_judged():
    """As the guide's hook in Java does."""
    asked = []

    def function(event, _context=None):
        answer = conforming(event)
        asked.append(event["clientRequestToken"])
        refuses = answer.get("errorCode") == "NonCompliant"
        return {**answer, "errorCode": "ResourceConflict"} if refuses else answer

    result = run_suite(hook_subject(function))
    assert result.findings == []
    assert "hook.failed" in {each.clause for each in result.clauses if each.state is ClauseState.PROVED}
    assert len(asked) == len(set(asked))
