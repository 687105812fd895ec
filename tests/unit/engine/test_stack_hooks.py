"""Hooks that look at whole stacks and at change sets, and what is told of their answers."""

import json
import urllib.request

import pytest
from msgspec.structs import replace

from formwork.engine.change_sets import ChangeSets, NewChangeSet
from formwork.engine.hook_lookups import HookResultQuery, HookResults
from formwork.hooks import FailureMode, HookFailed, HookPassed, HookWaiting, TargetKind
from formwork.hooks.rows import add_hook_result
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import ChangeSetRequest, OperationOptions, StackSettings
from support.engines import HERE, Bench, Guard, thing_schema

TEMPLATE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"


@pytest.fixture
def open_bench(database):
    return lambda *hooks: Bench(database, thing_schema(), hooks=hooks)


def stack_guard(*answers, **more):
    return Guard(*answers, kinds=(TargetKind.STACK,), **more)


def payload(call):
    return json.loads(urllib.request.urlopen(call.payload_url).read())


def test_a_stack_is_looked_at_before_its_resources(open_bench):
    guard = stack_guard(HookWaiting(3, {"n": 1}))
    bench = open_bench(guard)
    arn = bench.create(TEMPLATE % "red")
    assert [(each.target.action, each.target.name, each.target.identifier) for each in guard.calls] == [
        ("CREATE", "STACK", "shop")
    ] * 2
    assert payload(guard.calls[0]) == {"template": TEMPLATE % "red", "previousTemplate": ""}
    story = [(name, status) for name, status, _ in bench.story()]
    assert story.index(("A", "CREATE_IN_PROGRESS")) > 2
    assert {
        event.logical_id for _, event in bench.engine.lookups.list_events(HERE, "shop") if event.details.hook_id
    } == {"shop"}
    assert [each.target.listed_as for each in bench.hook_results(target_kind="STACK", target_id="shop")] == [arn]
    bench.update(TEMPLATE % "blue")
    assert payload(guard.calls[-1]) == {"template": TEMPLATE % "blue", "previousTemplate": TEMPLATE % "red"}
    bench.delete("shop")
    assert payload(guard.calls[-1]) == {"template": "", "previousTemplate": ""}
    assert bench.stack(arn).status == "DELETE_COMPLETE"


@pytest.mark.parametrize(
    ("settings", "options", "status"),
    [
        ({}, {}, "ROLLBACK_COMPLETE"),
        ({"on_failure": "DELETE"}, {}, "DELETE_COMPLETE"),
        ({"on_failure": "DO_NOTHING"}, {"keep_on_failure": True}, "CREATE_FAILED"),
    ],
)
def test_a_stack_that_is_refused(open_bench, settings, options, status):
    bench = open_bench(stack_guard(HookFailed("no", refused=True)))
    more = {"settings": StackSettings(**settings), "options": OperationOptions(**options)}
    arn = bench.create(TEMPLATE % "red", **more)
    assert bench.stack(arn).status == status
    assert bench.things.calls == []
    reasons = [event.reason or "" for _, event in bench.engine.lookups.list_events(HERE, arn)]
    assert any(each.startswith("The following hook(s) failed: [Acme::Web::Guard]") for each in reasons)


def test_changes_of_a_stack_that_are_refused(open_bench):
    guard = stack_guard()
    bench = open_bench(guard)
    bench.create(TEMPLATE % "red")
    guard.answers = [HookFailed("no", refused=True)]
    bench.update(TEMPLATE % "blue")
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert [each["Color"] for each in bench.things.stored] == ["red"]
    guard.answers = [HookFailed("no", refused=True)]
    bench.delete("shop")
    assert (bench.stack().status, bench.stack().reason) == (
        "DELETE_FAILED",
        "The following hook(s) failed: [Acme::Web::Guard]",
    )
    guard.answers = [HookFailed("no", refused=True)]
    guard.mode = FailureMode.WARN
    arn = bench.stack().arn
    bench.delete("shop")
    assert bench.stack(arn).status == "DELETE_COMPLETE"


def change_set(bench, template, name="c", kind="CREATE"):
    asked = NewChangeSet(name=name, kind=kind, stack=bench.request(template), request=ChangeSetRequest())
    sets = ChangeSets(bench.engine)
    arn = sets.create(HERE, asked).arn
    return sets, sets.expect(HERE, arn, None)


def test_a_change_set_is_looked_at_as_it_is_made(open_bench):
    guard = Guard(HookWaiting(2, None), kinds=(TargetKind.CHANGE_SET,))
    bench = open_bench(guard)
    template = "Resources:\n  A:\n    Type: Acme::Web::Thing\n    Properties: {Color: red, Size: 3}\n"
    _, made = change_set(bench, template)
    assert (made.record.status, made.record.execution_status) == ("CREATE_COMPLETE", "AVAILABLE")
    call = guard.calls[-1]
    assert (call.target.name, call.target.identifier, call.target.change_set) == ("CHANGE_SET", made.arn, made.arn)
    assert payload(call) == {
        "template": template,
        "changedResources": [
            {
                "logicalResourceId": "A",
                "resourceType": "Acme::Web::Thing",
                "action": "CREATE",
                "lineNumber": 2,
                "beforeContext": None,
                "afterContext": '{"Properties":{"Color":"red","Size":"3"}}',
            }
        ],
    }
    assert len(bench.hook_results(target_kind="CHANGE_SET", target_id=made.arn)) == 1


def test_what_nobody_may_see_is_in_no_change(open_bench):
    guard = Guard(kinds=(TargetKind.CHANGE_SET,))
    bench = open_bench(guard)
    template = """
Parameters: {Code: {Type: String, NoEcho: true}}
Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: !Ref Code, Name: !Sub "n-${Code}"}}}
"""
    bench.create(template, parameters={"Code": "first-canary"})
    asked = bench.request(template, parameters={"Code": "second-canary"})
    sets = ChangeSets(bench.engine)
    made = sets.create(HERE, NewChangeSet(name="c", kind="UPDATE", stack=asked, request=ChangeSetRequest()))
    (change,) = made.changes(values=True)
    assert change["after_context"] == {"Properties": {"Color": "****", "Name": "n-****"}}
    assert "canary" not in made.record.changes
    assert "canary" not in json.dumps(payload(guard.calls[0]))


def test_a_change_set_that_is_refused(open_bench):
    bench = open_bench(Guard(HookFailed("no", refused=True), kinds=(TargetKind.CHANGE_SET,)))
    sets, made = change_set(bench, TEMPLATE % "red")
    assert (made.record.status, made.record.execution_status, made.record.reason) == (
        "FAILED",
        "UNAVAILABLE",
        "Change set creation failed. The following hook(s) failed: [Acme::Web::Guard]",
    )
    with pytest.raises(StackError):
        sets.execute(HERE, made.arn, None, token=None, options=OperationOptions())


@pytest.mark.parametrize("skips", [True, False])
def test_who_has_seen_the_change_set_need_not_see_the_stack(open_bench, skips):
    guard = Guard(HookPassed("fine", skips_stack=skips), kinds=(TargetKind.CHANGE_SET, TargetKind.STACK))
    bench = open_bench(guard)
    sets, made = change_set(bench, TEMPLATE % "red")
    sets.execute(HERE, made.arn, None, token=None, options=OperationOptions())
    assert bench.stack().status == "CREATE_COMPLETE"
    assert [str(each.target.kind) for each in guard.calls] == ["CHANGE_SET"] + ([] if skips else ["STACK"])
    assert guard.calls[-1].target.change_set == made.arn


def test_hooks_that_a_change_set_will_call(open_bench):
    bench = open_bench(Guard())
    bench.create("Resources: {A: {Type: Acme::Web::Thing}, B: {Type: Acme::Web::Thing}}")
    sets, made = change_set(
        bench,
        "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: n}}, C: {Type: Acme::Web::Thing}}",
        kind="UPDATE",
    )
    _, planned = HookResults(bench.engine, sets).planned(HERE, made.arn, None)
    assert [(each.change["logical_id"], each.change["action"]) for each in planned] == [("A", "Modify"), ("C", "Add")]


@pytest.mark.parametrize(
    "query",
    [
        {"status": "HOOK_FAILED"},
        {"target_kind": "STACK"},
        {"target_id": "x"},
        {"target_kind": "STACK", "target_id": "x", "type_arn": "arn"},
        {"target_kind": "STACK", "target_id": "x"},
        {"token": "x"},
    ],
)
def test_results_that_cannot_be_listed(open_bench, query):
    with pytest.raises(StackError):
        open_bench().hook_results(**query)


def test_results_are_forgotten_after_90_days(open_bench):
    bench = open_bench(Guard())
    bench.create(TEMPLATE % "red")
    (result,) = bench.hook_results()
    bench.clock.sleep(90 * 24 * 3600 + 60)
    assert bench.hook_results() == []
    looking = HookResults(bench.engine, ChangeSets(bench.engine))
    assert looking.get(HERE, result.id) == result
    bench.engine.resume()
    with pytest.raises(StackError, match="does not exist"):
        looking.get(HERE, result.id)


def test_results_are_listed_in_pages(open_bench):
    bench = open_bench(Guard())
    bench.create(TEMPLATE % "red")
    (result,) = bench.hook_results()
    with bench.engine.database.begin() as connection:
        for number in range(119):
            add_hook_result(connection, replace(result, id=f"{number}"))
    looking = HookResults(bench.engine, ChangeSets(bench.engine))
    first, token = looking.list(HERE, HookResultQuery())
    rest, end = looking.list(HERE, HookResultQuery(token=token))
    assert (len(first), len(rest), end) == (100, 20, None)
    assert len({each.id for each in first + rest}) == 120
