"""Stages of steps and of requests in their stored form, and in the forms that older code stored."""

import json

import pytest

from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.request_stages import (
    RequestBegun,
    RequestCalling,
    RequestEnded,
    stage_from_value,
    stage_to_value,
)
from formwork.stacks.store.steps import (
    AskingHooks,
    AwaitingSignals,
    Calling,
    Decision,
    Ended,
    ExpectedSignals,
    HandlerAction,
    HandlerOperation,
    NotStarted,
    Phase,
    Plan,
    Reading,
    StackHooks,
    StepRecord,
    StepState,
    progress_from_json,
    progress_to_json,
)

OLD = ResourceRecord(
    "A", "Acme::Web::Thing", ResourceStatus.UPDATE_COMPLETE, {"Type": "T"}, {"Color": "red"}, "thing-1"
)
NEW = ResourceRecord("A", "Acme::Web::Thing", ResourceStatus.UPDATE_IN_PROGRESS, {"Type": "T"}, {"Color": "blue"})
PLAN = Plan(
    decision=Decision.REPLACE,
    shown="{}",
    before=OLD,
    replacement=NEW,
    old_deleted=True,
    signals=ExpectedSignals(2, 300, 50, 7.0),
)
DOING = HandlerOperation(
    action=HandlerAction.CREATE, resource=NEW, plan=PLAN, token="t", deadline=9.0, renamed_from="thing-0"
)
CALLED = {"tries": 2, "context": {"n": 1}, "model": {"Id": "thing-2"}, "due": 5.0}
STAGES = [
    NotStarted(),
    AskingHooks(doing=DOING, answers={"Acme::Web::Guard": {"id": "1"}}, due=5.0),
    Calling(doing=DOING, **CALLED, model_was_read=True),
    Reading(doing=DOING, tries=2, model={"Id": "thing-2"}, due=5.0),
    AwaitingSignals(doing=DOING, model={"Id": "thing-2"}, deadline=8.0, told=["s1"], looks=3, due=5.0),
    Ended(decision=Decision.REPLACE, before=OLD, old_deleted=True, left_behind=True),
    StackHooks(token="t", answers={"Acme::Web::Guard": {"id": "1"}}),
]


@pytest.mark.parametrize("stage", STAGES, ids=lambda each: type(each).__name__)
def test_a_stage_of_a_step_is_stored_and_read(stage):
    assert progress_from_json(progress_to_json(stage)) == stage


def untyped(stage, note, **more):
    empty = {"token": "", "tries": 0, "context": None, "model": None, "deadline": None, "due": 0.0, "hooks": {}}
    return json.dumps({**empty, "stage": stage, **more, "note": note})


NOTE = {
    "action": "CREATE",
    "doing": NEW.to_value(),
    "decision": "replace",
    "shown": "{}",
    "before": OLD.to_value(),
    "new": NEW.to_value(),
    "deleted": True,
    "signals": {"count": 2, "seconds": 300, "percent": 50},
    "since": 7.0,
    "renamed": "thing-0",
    "model_was_read": True,
    "made": True,
    "properties": {"Color": "blue"},
}
SIGNALS = {"context": {"told": ["s1"], "asked": 3}, "deadline": 8.0, "model": {"Id": "thing-2"}, "due": 5.0}
DOING_8 = HandlerOperation(
    action=HandlerAction.CREATE, resource=NEW, plan=PLAN, token="t", deadline=8.0, renamed_from="thing-0"
)


@pytest.mark.parametrize(
    ("stored", "stage"),
    [
        (untyped("hooks", NOTE, token="t", deadline=9.0, hooks=STAGES[1].answers, due=5.0), STAGES[1]),
        (untyped("call", NOTE, token="t", deadline=9.0, **CALLED), STAGES[2]),
        (untyped("read", NOTE, token="t", deadline=9.0, **{**CALLED, "context": None}), STAGES[3]),
        (
            untyped("signals", NOTE, token="t", **SIGNALS),
            AwaitingSignals(doing=DOING_8, model={"Id": "thing-2"}, deadline=8.0, told=["s1"], looks=3, due=5.0),
        ),
        (untyped("failed", NOTE, token="t", deadline=9.0), STAGES[5]),
        (untyped("done", {}), Ended()),
        (untyped("begin", {}, token="t", hooks=STAGES[6].answers), STAGES[6]),
    ],
    ids=["hooks", "call", "read", "signals", "failed", "done", "begin"],
)
def test_the_untyped_form_of_a_step_is_read(stored, stage):
    assert progress_from_json(stored) == stage


def test_a_rollback_reads_the_plan_of_a_step_that_was_broken_off():
    def record(stage):
        return StepRecord(
            operation_id="o",
            phase=Phase.DEPLOY,
            logical_id="A",
            state=StepState.RUNNING,
            reason=None,
            progress=stage,
        )

    assert [record(each).end for each in (STAGES[0], STAGES[2], STAGES[5])] == [
        Ended(),
        Ended(decision=Decision.REPLACE, before=OLD, old_deleted=True),
        STAGES[5],
    ]
    assert [record(each).due for each in STAGES] == [0.0, 5.0, 5.0, 5.0, 5.0, 0.0, 0.0]


BEGUN = RequestBegun(desired={"Id": "1"}, previous={"Id": "0"}, role="r", answers={"G": {}}, due=5.0)
CALLING = RequestCalling(desired={"Id": "1"}, previous={"Id": "0"}, deadline=9.0, **CALLED, calling=True)
OLD_REQUEST = {"desired": {"Id": "1"}, "previous": {"Id": "0"}, "began": 1.0, "version": None, "role": "r"}


@pytest.mark.parametrize("stage", [BEGUN, CALLING, RequestEnded({"Id": "1"})], ids=lambda each: type(each).__name__)
def test_a_stage_of_a_request_is_stored_and_read(stage):
    assert stage_from_value(json.loads(json.dumps(stage_to_value(stage)))) == stage


@pytest.mark.parametrize(
    ("stored", "stage"),
    [
        ({**OLD_REQUEST, "tries": 0, "due": 5.0, "hooks": {"G": {}}}, BEGUN),
        ({**OLD_REQUEST, **CALLED, "stage": "call", "deadline": 9.0, "calling": True}, CALLING),
        ({"began": 1.0, "version": None, "model": {"Id": "1"}}, RequestEnded({"Id": "1"})),
        ({}, RequestEnded()),
    ],
    ids=["begun", "calling", "ended", "older"],
)
def test_the_form_of_a_request_without_stages_is_read(stored, stage):
    assert stage_from_value(stored) == stage
