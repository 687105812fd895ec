"""Hooks before operations on resources: who is asked, what is told, and what a refusal does."""

import pytest

from formwork.hooks import MOST_CALLS, FailureMode, HookFailed, HookTarget, HookWaiting, TargetKind, read_hook_settings
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.stacks.store.records import OperationOptions
from support.engines import HERE, Bench, Guard, thing_schema

TEMPLATE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"


@pytest.fixture
def open_bench(database):
    return lambda *hooks: Bench(database, thing_schema(), hooks=hooks)


def told(bench, name="shop"):
    """(status of the resource, status of the hook, reason) of the events of hooks, oldest first."""
    events = [event for _, event in reversed(bench.engine.lookups.list_events(HERE, name))]
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
    assert (call.target.action, call.target.name, call.model) == (
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
    assert (update.target.action, update.model["previousResourceProperties"]) == ("UPDATE", {"Color": "red"})
    guard.answers = [HookFailed("no green", refused=True)]
    bench.update(TEMPLATE % "green")
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert [each.target.action for each in guard.calls] == ["CREATE", "UPDATE", "UPDATE"]
    arn = bench.stack().arn
    bench.delete("shop")
    assert guard.calls[-1].target.action == "DELETE"
    assert bench.stack(arn).status == "DELETE_COMPLETE"


def test_a_replacement_is_asked_about_once_and_its_clean_up_is_not(open_bench):
    guard = Guard()
    bench = open_bench(guard)
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: %s}}}"
    bench.create(text % "one")
    bench.update(text % "two")
    assert [each.target.action for each in guard.calls] == ["CREATE", "CREATE"]


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
        (
            {"TargetStacks": "ALL", "StackFilters": {"FilteringCriteria": "ALL", "StackNames": {"Include": ["sh*"]}}},
            True,
        ),
        (
            {"TargetStacks": "ALL", "StackFilters": {"FilteringCriteria": "ALL", "StackRoles": {"Exclude": ["r?le"]}}},
            False,
        ),
        ({"TargetStacks": "ALL", "TargetOperations": ["STACK", "CHANGE_SET", "CLOUD_CONTROL"]}, False),
        ({"TargetStacks": "ALL", "TargetFilters": {"Targets": [{"TargetNames": ["*"], "Actions": ["UPDATE"]}]}}, False),
    ],
)
def test_settings(settings, asked):
    found = read_hook_settings({"CloudFormationConfiguration": {"HookConfiguration": settings}})
    target = HookTarget(
        kind=TargetKind.RESOURCE,
        action="CREATE",
        name="Acme::Web::Thing",
        identifier="A",
        execution="arn",
        stack_name="shop",
        role="role",
    )
    assert found.covers(target) == asked


def test_what_hooks_answer_is_told_kept_and_announced(open_bench):
    check = {"annotationName": "Colour", "status": "FAILED", "remediationMessage": "paint it"}
    bench = open_bench(Guard(HookFailed("no red", refused=True, annotations=[check])), Guard(name="Acme::Web::Other"))
    arn = bench.create(TEMPLATE % "red")
    kept = bench.hook_results()
    assert {(each.type_name, each.status) for each in kept} == {
        ("Acme::Web::Guard", "HOOK_COMPLETE_FAILED"),
        ("Acme::Web::Other", "HOOK_COMPLETE_SUCCEEDED"),
    }
    asked = next(each.type_arn for each in kept if each.type_name == "Acme::Web::Guard")
    (refused,) = bench.hook_results(type_arn=asked, status="HOOK_COMPLETE_FAILED")
    assert (refused.annotations, refused.target.execution, refused.target.listed_as) == ((check,), arn, "A")
    ids = {event.details.hook_id for _, event in bench.engine.lookups.list_events(HERE, "shop")} - {None}
    assert ids == {each.id for each in kept}
    assert [each["detail"]["status"] for each in bench.notices].count("HOOK_IN_PROGRESS") == 2
    last = next(each for each in bench.notices if each["detail"]["status"] == "HOOK_COMPLETE_FAILED")
    assert (last["detail-type"], last["resources"]) == ("CloudFormation Hook Invocation Progress", [arn])
    assert last["detail"]["target-detail"] == {
        "target-name": "Acme::Web::Thing",
        "target-type": "RESOURCE",
        "target-id": "A",
        "target-action": "CREATE",
        "target-invocation-point": "CREATE_PRE_PROVISION",
    }
    assert last["detail"]["status-reason"] == "Hook failed with message: no red"


def test_after_the_hooks_the_resource_goes_on(open_bench):
    bench = open_bench(Guard())
    bench.create(TEMPLATE % "red")
    assert ("A", "CREATE_IN_PROGRESS", "Hook invocations complete. Resource creation initiated") in bench.story()
    bench.update(TEMPLATE % "blue")
    assert ("A", "UPDATE_IN_PROGRESS", "Hook invocations complete. Resource update initiated") in bench.story()


def test_no_hook_waits_for_another(open_bench):
    slow, quick = Guard(HookWaiting(60, None), name="Acme::Web::Slow"), Guard(name="Acme::Web::Quick")
    bench = open_bench(slow, quick)
    bench.create(TEMPLATE % "red")
    assert [each[1] for each in told(bench)] == ["HOOK_IN_PROGRESS"] * 2 + ["HOOK_COMPLETE_SUCCEEDED"] * 2
    ended = [
        event for _, event in reversed(bench.engine.lookups.list_events(HERE, "shop")) if event.details.hook_reason
    ]
    assert [each.details.hook_type for each in ended] == ["Acme::Web::Quick", "Acme::Web::Slow"]


def test_a_hook_that_never_ends(open_bench):
    guard = Guard(*[HookWaiting(1, {"n": n}) for n in range(9)])
    bench = open_bench(guard)
    bench.create(TEMPLATE % "red")
    assert len(guard.calls) == MOST_CALLS
    assert [each.invocation for each in guard.calls] == [1, 2, 3, 4]
    assert told(bench)[-1][1] == "HOOK_FAILED"
    assert bench.stack().status == "ROLLBACK_COMPLETE"


def test_what_takes_the_place_of_what_goes_first_is_asked_about_before(database):
    guard = Guard()
    schema = thing_schema(replacementStrategy="delete_then_create")
    bench = Bench(database, schema, hooks=[guard])
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: %s}}}"
    bench.create(text % "one")
    guard.answers = [HookFailed("no", refused=True)]
    bench.update(text % "two")
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert [each["Name"] for each in bench.things.stored] == ["one"]
    assert ("A", "UPDATE_FAILED", "The following hook(s) failed: [Acme::Web::Guard]") in bench.story()
    bench.update(text % "three")
    assert [each.target.action for each in guard.calls] == ["CREATE"] * 3
    assert [each["Name"] for each in bench.things.stored] == ["three"]


def test_a_hook_that_is_turned_off_meanwhile(open_bench):
    guard = Guard(HookWaiting(5, None), mode=FailureMode.WARN)
    bench = open_bench(guard)
    sleep = bench.work.sleep

    def turn_off(seconds):
        bench.hooks.hooks.clear()
        sleep(seconds)

    bench.work.sleep = turn_off
    bench.create(TEMPLATE % "red")
    assert bench.stack().status == "CREATE_COMPLETE"
    (result,) = bench.hook_results()
    assert result.status == "HOOK_FAILED"


def test_kept_resources_are_not_asked_about(open_bench):
    guard = Guard()
    bench = open_bench(guard)
    bench.create("Resources: {A: {Type: Acme::Web::Thing, DeletionPolicy: Retain, Properties: {Color: red}}}")
    bench.delete("shop")
    assert [each.target.action for each in guard.calls] == ["CREATE"]


def test_nested_stacks_are_asked_about_as_long_as_a_user_asks(open_bench):
    guard = Guard(kinds=(TargetKind.RESOURCE, TargetKind.STACK))
    bench = open_bench(guard)
    bench.templates["https://s3/child"] = TEMPLATE % "red"
    above = """
Resources:
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: https://s3/child}}
  Last: {Type: Acme::Web::Thing, DependsOn: Child}
"""
    bench.things.fail("CREATE", logical_id="Last")
    bench.create(above)
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert {each.target.action for each in guard.calls} == {"CREATE"}
    bench.create(above, name="again")
    guard.calls.clear()
    bench.delete("again")
    kinds = [(str(each.target.kind), each.target.name) for each in guard.calls if each.target.action == "DELETE"]
    assert kinds.count(("STACK", "STACK")) == 2
    assert kinds.count(("RESOURCE", "Acme::Web::Thing")) == 2


def test_what_is_made_again_after_it_failed_is_asked_about_first(open_bench):
    guard = Guard()
    bench = open_bench(guard)
    bench.things.answer("CREATE", Waiting(0, {"Id": "thing-00000000"}, None), Failed("InvalidRequest", "no"))
    bench.create(TEMPLATE % "red", options=OperationOptions(keep_on_failure=True))
    assert bench.stack().status == "CREATE_FAILED"
    guard.answers = [HookFailed("no", refused=True)]
    bench.update(TEMPLATE % "blue", options=OperationOptions(keep_on_failure=True))
    assert bench.story()[-2][1:] == ("CREATE_FAILED", "The following hook(s) failed: [Acme::Web::Guard]")
    assert [each.target.action for each in guard.calls] == ["CREATE", "CREATE"]
