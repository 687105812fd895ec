"""Hooks before operations on resources: who is asked, what is told, and what a refusal does."""

import pytest

from formwork.durable import open_database
from formwork.engine.hooks import FailureMode, HookFailed, HookWaiting, read_hook_settings
from support.engines import HERE, Bench, Guard, thing_schema

TEMPLATE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"


@pytest.fixture
def open_bench(tmp_path):
    database = open_database(tmp_path)
    database.migrate()
    yield lambda *hooks: Bench(database, thing_schema(), hooks=hooks)
    database.close()


def told(bench, name="shop"):
    """(status of the resource, status of the hook, reason) of the events of hooks, oldest first."""
    events = [event for _, event in reversed(bench.engine.list_events(HERE, name))]
    return [
        (each.status, each.details.hook_status, each.details.hook_reason, each.details.hook_mode)
        for each in events
        if each.details.hook_type
    ]


def test_a_hook_that_has_nothing_against_it(open_bench):
    guard = Guard()
    bench = open_bench(guard)
    bench.create(TEMPLATE % "red")
    assert bench.stack().status == "CREATE_COMPLETE"
    assert told(bench) == [
        ("CREATE_IN_PROGRESS", "HOOK_IN_PROGRESS", None, "FAIL"),
        ("CREATE_IN_PROGRESS", "HOOK_COMPLETE_SUCCEEDED", "Hook succeeded with message: fine", "FAIL"),
    ]
    (call,) = guard.calls
    assert (call.action, call.target_name, call.model) == (
        "CREATE",
        "Acme::Web::Thing",
        {"resourceProperties": {"Color": "red"}},
    )


def test_a_refusal_fails_the_resource(open_bench):
    bench = open_bench(Guard(HookFailed("no red", refused=True)))
    bench.create(TEMPLATE % "red")
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert bench.things.calls == []
    assert told(bench)[1] == ("CREATE_IN_PROGRESS", "HOOK_COMPLETE_FAILED", "Hook failed with message: no red", "FAIL")
    assert ("A", "CREATE_FAILED", "The following hook(s) failed: [Acme::Web::Guard]") in bench.story()


def test_a_refusal_that_only_warns(open_bench):
    bench = open_bench(Guard(HookFailed("no red", refused=True), mode=FailureMode.WARN))
    bench.create(TEMPLATE % "red")
    assert bench.stack().status == "CREATE_COMPLETE"
    reason = "Hook failed with message: no red. Failure was ignored under WARN mode."
    assert told(bench)[1] == ("CREATE_IN_PROGRESS", "HOOK_COMPLETE_FAILED", reason, "WARN")


def test_a_hook_that_breaks(open_bench):
    bench = open_bench(Guard(HookFailed("boom", refused=False)))
    bench.create(TEMPLATE % "red")
    assert told(bench)[1][1:3] == ("HOOK_FAILED", "Hook failed with message: boom")
    assert bench.stack().status == "ROLLBACK_COMPLETE"


def test_every_hook_is_asked_and_callbacks_are_followed(open_bench):
    slow = Guard(HookWaiting(5, {"n": 1}), name="Acme::Web::Slow")
    other = Guard(HookFailed("no", refused=True), name="Acme::Web::Other")
    bench = open_bench(slow, other)
    bench.create(TEMPLATE % "red")
    assert [each.context for each in slow.calls] == [None, {"n": 1}]
    assert len({each.token for each in slow.calls}) == 1
    assert ("A", "CREATE_FAILED", "The following hook(s) failed: [Acme::Web::Other]") in bench.story()


def test_updates_and_deletes_are_asked_about_and_undoing_is_not(open_bench):
    guard = Guard()
    bench = open_bench(guard)
    bench.create(TEMPLATE % "red")
    bench.update(TEMPLATE % "blue")
    update = guard.calls[-1]
    assert (update.action, update.model["previousResourceProperties"]) == ("UPDATE", {"Color": "red"})
    guard.answers = [HookFailed("no green", refused=True)]
    bench.update(TEMPLATE % "green")
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert [each.action for each in guard.calls] == ["CREATE", "UPDATE", "UPDATE"]
    arn = bench.stack().arn
    bench.engine.delete_stack(HERE, "shop")
    assert guard.calls[-1].action == "DELETE"
    assert bench.stack(arn).status == "DELETE_COMPLETE"


def test_a_replacement_is_asked_about_once_and_its_clean_up_is_not(open_bench):
    guard = Guard()
    bench = open_bench(guard)
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: %s}}}"
    bench.create(text % "one")
    bench.update(text % "two")
    assert [each.action for each in guard.calls] == ["CREATE", "CREATE"]


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({}, False),
        ({"TargetStacks": "NONE"}, False),
        ({"TargetStacks": "ALL"}, True),
        ({"HookInvocationStatus": "ENABLED"}, True),
        ({"HookInvocationStatus": "DISABLED"}, False),
        ({"TargetStacks": "ALL", "TargetFilters": {"Actions": ["DELETE"]}}, False),
        ({"TargetStacks": "ALL", "TargetFilters": {"TargetNames": ["Acme::*::Thing"]}}, True),
        ({"TargetStacks": "ALL", "TargetFilters": {"Targets": [{"TargetName": "Other::*"}]}}, False),
        ({"TargetStacks": "ALL", "TargetFilters": {"Targets": [{"TargetName": "Acme::*", "Action": "CREATE"}]}}, True),
        (
            {"TargetStacks": "ALL", "StackFilters": {"FilteringCriteria": "ALL", "StackNames": {"Include": ["x"]}}},
            False,
        ),
        ({"TargetStacks": "ALL", "StackFilters": {"FilteringCriteria": "ALL", "StackNames": {"Exclude": ["x"]}}}, True),
        (
            {
                "TargetStacks": "ALL",
                "StackFilters": {
                    "FilteringCriteria": "ANY",
                    "StackNames": {"Include": ["x"]},
                    "StackRoles": {"Include": ["role"]},
                },
            },
            True,
        ),
    ],
)
def test_settings(settings, asked):
    found = read_hook_settings({"CloudFormationConfiguration": {"HookConfiguration": settings}})
    covered = found.covers_target("Acme::Web::Thing", "CREATE") and found.covers_stack("shop", "role")
    assert (found.enabled and covered) == asked
