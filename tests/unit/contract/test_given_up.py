"""No legal handler is accused of never ending: a run that gives up says so, and proves nothing of it."""

import json

import pytest

from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.contract_results.proof import RequiredProof, missing_proof
from formwork.contract_results.report.text import render_text
from formwork.documents import DocumentFormat, parse_document
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Simulator
from support.contract_subjects import Clock, subject_of
from support.hooks import conforming, hook_subject
from support.shapes import generated

ENDS = "event.progress.ends"


class SlowWorld:
    """Handlers whose creates, updates and deletes are done `seconds` after they began, however often they are asked."""

    def __init__(self, clock, seconds, *, delay, each_call=0.05, actions=("CREATE",)):
        self.simulator = Simulator(generated(), seed=3)
        self._clock, self._seconds, self._delay, self._each_call = clock, seconds, delay, each_call
        self._actions = actions
        self._began = {}

    def __call__(self, event, _context=None):
        self._clock.now += self._each_call
        if event["action"] not in self._actions:
            return self.simulator(event)
        key = event["action"], event["bearerToken"]
        began = self._began.setdefault(key, self._clock.now)
        done = self._clock.now - began >= self._seconds
        if done and event["action"] != "CREATE":
            return self.simulator({**event, "callbackContext": None})
        answer = self.simulator({**event, "callbackContext": None}) if event["action"] == "CREATE" else None
        if done:
            return answer
        model = answer["resourceModel"] if answer else event["requestData"]["resourceProperties"]
        waiting = {"status": "IN_PROGRESS", "callbackContext": {"began": True}, "callbackDelaySeconds": self._delay}
        return {**waiting, "resourceModel": model}


def state_of(result, clause=ENDS):
    return next(each for each in result.clauses if each.clause == clause)


@pytest.mark.parametrize("delay", [0, 1, 30, 600])
@pytest.mark.parametrize("actions", [("CREATE",), ("UPDATE",), ("DELETE",)], ids=str)
def test_an_operation_that_takes_longer_than_the_run_waits_is_not_accused(delay, actions):
    clock = Clock()
    world = SlowWorld(clock, 1000, delay=delay, actions=actions)
    result = run_suite(subject_of(world, generated(), patience=clock.patience(20)))
    assert result.findings == []
    found = state_of(result)
    assert found.state is ClauseState.NOT_PROVABLE
    assert f"gave up on {actions[0]} after " in found.reason
    assert "and --patience SECONDS waits longer" in found.reason
    assert f"\nnot provable: {found.reason}\n" in render_text(result)
    assert clock.now < 400
    for required in RequiredProof:
        assert any("gave up on" in line for line in missing_proof(result, required))


@pytest.mark.parametrize("delay", [pytest.param(1, marks=pytest.mark.slow), 30, 600])  # 1: 34,000 calls
def test_an_operation_that_gets_its_time_is_proved_to_end(delay):
    clock = Clock()
    result = run_suite(subject_of(SlowWorld(clock, 1000, delay=delay), generated(), patience=clock.patience(2000)))
    assert result.findings == []
    assert state_of(result).state is ClauseState.PROVED
    assert "gave up" not in render_text(result)


def with_timeout(minutes):
    value = json.loads(json.dumps(dict(generated().value)))
    value["handlers"]["create"]["timeoutInMinutes"] = minutes
    return build_resource_schema(parse_document(json.dumps(value), name="it.json", format=DocumentFormat.JSON))


def test_what_is_later_than_its_own_timeout_is_accused_where_it_was_waited_for():
    clock = Clock()
    result = run_suite(subject_of(SlowWorld(clock, 1000, delay=10), with_timeout(5), patience=clock.patience(900)))
    assert result.violated == {ENDS}
    (finding,) = result.findings
    assert "CREATE never ends: still IN_PROGRESS after " in finding.message
    assert "timeoutInMinutes is 5" in finding.message


def test_what_asks_for_more_than_its_timeout_is_accused_at_once():
    clock = Clock()
    result = run_suite(subject_of(SlowWorld(clock, 1000, delay=301), with_timeout(5), patience=clock.patience(20)))
    assert result.violated == {ENDS}
    assert "CREATE asks to be called again after 301 s; timeoutInMinutes is 5" in result.findings[0].message
    assert clock.now < 20


@pytest.mark.parametrize("delay", [0, 5, 300])
def test_a_hook_without_an_end_is_given_up_within_bounds(delay):
    clock, calls = Clock(), []

    def endless(event, _context=None):
        clock.now += 0.05
        calls.append(event)
        if event["actionInvocationPoint"] != "CREATE_PRE_PROVISION":
            return conforming(event)
        waiting = {"hookStatus": "IN_PROGRESS", "message": "", "callbackContext": {"asked": True}}
        return {**waiting, "callbackDelaySeconds": delay, "clientRequestToken": event["clientRequestToken"]}

    result = run_suite(hook_subject(endless, patience=clock.patience(20)))
    assert result.violated == set()
    assert state_of(result).state is ClauseState.NOT_PROVABLE
    assert "gave up on preCreate for Acme::" in state_of(result).reason
    assert "hook.targets" not in result.proved
    assert clock.now < 180
    assert any("gave up on preCreate" in line for line in missing_proof(result, RequiredProof.MOST))
    assert len(calls) < 3100


def test_a_hook_that_is_waited_for_may_take_long():
    clock = Clock()

    def patient(event, _context=None):
        context = event["requestContext"]["callbackContext"] or {"turn": 0}
        if context["turn"] >= 2000:
            return conforming(event)
        waiting = {"hookStatus": "IN_PROGRESS", "message": "", "callbackContext": {"turn": context["turn"] + 1}}
        return {**waiting, "callbackDelaySeconds": 1, "clientRequestToken": event["clientRequestToken"]}

    result = run_suite(hook_subject(patient, patience=clock.patience()), names=["contract_pre_create_success"])
    assert result.findings == []
    assert state_of(result).state is ClauseState.PROVED
