"""What events and descriptions of resources show: properties, physical ids, reasons and times, and no secrets."""

import json

import pytest

from formwork.diagnostics.secrets import Secret
from formwork.hooks import HookFailed
from formwork.provisioning import OwnProvisioner
from formwork.provisioning.outcomes import Failed, Succeeded, Waiting
from formwork.provisioning.own import OwnHandlers
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import OperationOptions
from support.engines import HERE, Bench, Guard, Resolving, thing_schema

THING = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: %s, Color: %s}}}"
WORD = """
Parameters: {Word: {Type: String, NoEcho: true}}
Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: "%s", Color: !Ref Word}}}
"""
KEEP = OperationOptions(keep_on_failure=True)


def shown(bench, *statuses, name="shop"):
    """(status, physical id, properties) of the events of A with one of the statuses, oldest first."""
    events = [event for _, event in reversed(bench.engine.lookups.list_events(HERE, name))]
    return [
        (event.status, event.physical_id, event.details.properties and json.loads(event.details.properties))
        for event in events
        if event.logical_id == "A" and event.status in statuses
    ]


def test_events_of_an_update_show_the_new_properties(bench):
    bench.create(THING % ("one", "red"))
    physical_id = bench.resources()["A"].physical_id
    bench.update(THING % ("one", "blue"))
    new = {"Name": "one", "Color": "blue"}
    assert shown(bench, "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE") == [
        ("UPDATE_IN_PROGRESS", physical_id, new),
        ("UPDATE_COMPLETE", physical_id, new),
    ]


def test_events_of_a_replacement_show_the_new_properties_and_which_resource_they_are_about(bench):
    bench.create(THING % ("one", "red"))
    old = bench.resources()["A"].physical_id
    bench.update(THING % ("two", "red"))
    new = bench.resources()["A"].physical_id
    properties = {"Name": "two", "Color": "red"}
    assert shown(bench, "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE") == [
        ("UPDATE_IN_PROGRESS", old, properties),
        ("UPDATE_IN_PROGRESS", new, properties),
        ("UPDATE_COMPLETE", new, properties),
    ]
    assert [about for _, about, _ in shown(bench, "DELETE_IN_PROGRESS", "DELETE_COMPLETE")] == [old, old]


def test_a_failed_resource_has_the_reason_of_its_event(bench):
    bench.create(THING % ("one", "red"))
    bench.things.fail("UPDATE", message="out of paint")
    bench.update(THING % ("one", "blue"), options=KEEP)
    resource = bench.resources()["A"]
    assert resource.status == "UPDATE_FAILED"
    assert '"out of paint"' in resource.reason
    assert ("A", "UPDATE_FAILED", resource.reason) in bench.story()


def test_a_broken_handler_leaves_its_resource_failed(bench, monkeypatch):
    def broken(*_arguments):
        raise RuntimeError("boom")

    bench.create(THING % ("one", "red"))
    physical_id = bench.resources()["A"].physical_id
    monkeypatch.setattr(bench.things, "invoke", broken)
    bench.update(THING % ("one", "blue"), options=KEEP)
    resource = bench.resources()["A"]
    assert (resource.status, resource.physical_id) == ("UPDATE_FAILED", physical_id)
    assert resource.reason.startswith("Internal Failure: RuntimeError")
    assert shown(bench, "UPDATE_FAILED") == [("UPDATE_FAILED", physical_id, {"Name": "one", "Color": "blue"})]


def test_a_forced_deletion_shows_what_it_leaves(bench):
    arn = bench.create(THING % ("one", "red"))
    physical_id = bench.resources()["A"].physical_id
    bench.things.fail("DELETE", times=2)
    bench.delete()
    assert bench.stack().status == "DELETE_FAILED"
    bench.delete(force=True)
    left = ("DELETE_SKIPPED", physical_id, {"Name": "one", "Color": "red"})
    assert shown(bench, "DELETE_SKIPPED", name=arn) == [left]


def test_a_creation_that_is_rolled_back_has_the_time_it_began_to_be_removed(bench):
    began = bench.clock.time
    bench.create(THING % ("one", "red"))
    assert bench.stack().settings.removing is None
    bench.things.fail("CREATE", logical_id="B")
    template = "Resources: {A: {Type: Acme::Web::Thing}, B: {Type: Acme::Web::Thing, DependsOn: A}}"
    bench.create(template, name="other")
    stack = bench.stack("other")
    assert stack.status == "ROLLBACK_COMPLETE"
    assert began < stack.settings.removing <= bench.clock.time


@pytest.mark.parametrize("secret", ["x", "hush-hush"])  # a text as short as the first is masked where it is alone
def test_properties_with_a_secret_parameter_are_masked(bench, secret):
    bench.create(WORD % "a box", parameters={"Word": secret})
    assert {json.dumps(properties) for _, _, properties in shown(bench, "CREATE_IN_PROGRESS", "CREATE_COMPLETE")} == {
        '{"Name": "a box", "Color": "****"}'
    }


@pytest.mark.parametrize("repeated", ["hush-old", "hush-new"])
def test_a_message_of_an_update_repeats_neither_the_old_secret_nor_the_new_one(bench, repeated):
    bench.create(WORD % "one", parameters={"Word": "hush-old"})
    bench.things.answer("UPDATE", Failed("InvalidRequest", f"cannot paint it {repeated}"))
    bench.update(WORD % "one", parameters={"Word": "hush-new"})
    (reason,) = [reason for _, status, reason in bench.story() if status == "UPDATE_FAILED"]
    assert "cannot paint it" in reason
    assert "hush-" not in str(bench.story())


def test_a_hook_s_message_may_repeat_what_the_schema_says(database):
    schema = thing_schema(
        properties={
            "Id": {"type": "string", "pattern": "^thing-[0-9a-f]{8}$"},
            "Arn": {"type": "string", "pattern": "^arn:thing:[0-9]{6}$"},
            "Name": {"type": "string"},
            "Size": {"type": "integer"},
            "Secret": {"type": "string", "enum": ["vermilion", "turquoise"]},
        }
    )
    bench = Bench(database, schema, hooks=[Guard(HookFailed("choose turquoise", refused=True))])
    bench.create("Resources: {A: {Type: Acme::Web::Thing, Properties: {Secret: turquoise}}}")
    events = [event for _, event in bench.engine.lookups.list_events(HERE, "shop")]
    assert "Hook failed with message: choose turquoise" in {event.details.hook_reason for event in events}


def test_answers_of_hooks_wake_what_delivers_notices(database, monkeypatch):
    bench = Bench(database, hooks=[Guard()])
    waiting = []
    monkeypatch.setattr(bench.engine.settings.notices, "wake", lambda: waiting.append(len(bench.notices)))
    bench.create(THING % ("one", "red"))
    assert waiting == [1, 2]  # as it begins and as it ends, each committed before


class Renaming(OwnHandlers):
    """Handlers whose updates answer another identifier, as custom resources may."""

    def create(self, _call):
        return Succeeded({"Id": "thing-00000001"})

    def update(self, _call):
        return Succeeded({"Id": "thing-00000002"})

    def delete(self, call):
        self.deleted = call.desired["Id"]
        return Succeeded(None)


def test_an_update_that_answers_another_identifier_has_replaced_the_resource(bench):
    handlers = Renaming()
    own = {each: {"permissions": []} for each in ("create", "update", "delete")}
    made = OwnProvisioner(thing_schema("Acme::Web::Own", handlers=own), handlers, renames=True)

    class Own:
        def provisioner(self, _scope, _type_name):
            return made

    bench.table.own.add("Acme::Web::Own", Own())
    bench.create((THING % ("one", "red")).replace("Thing", "Own"))
    bench.update((THING % ("one", "blue")).replace("Thing", "Own"))
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert bench.resources()["A"].physical_id == "thing-00000002"
    assert handlers.deleted == "thing-00000001"
    told = "Requested update required the provider to create a new physical resource"
    assert ("A", "UPDATE_COMPLETE", told) in bench.story()


def test_events_of_a_deletion_show_the_properties(bench):
    arn = bench.create(THING % ("one", "red"))
    physical_id = bench.resources()["A"].physical_id
    bench.delete()
    about = (physical_id, {"Name": "one", "Color": "red"})
    found = shown(bench, "DELETE_IN_PROGRESS", "DELETE_COMPLETE", name=arn)
    assert found == [("DELETE_IN_PROGRESS", *about), ("DELETE_COMPLETE", *about)]


def test_events_of_hooks_show_when_and_about_which_resource_they_were_asked(database):
    bench = Bench(database, hooks=[Guard()])
    bench.create(THING % ("one", "red"))
    physical_id = bench.resources()["A"].physical_id
    bench.update(THING % ("one", "blue"))
    events = [event for _, event in bench.engine.lookups.list_events(HERE, "shop") if event.details.hook_type]
    assert [event.physical_id for event in reversed(events)] == [None, None, physical_id, physical_id]
    assert {event.details.hook_point for event in events} == {"PRE_PROVISION"}


def test_a_resource_is_in_the_stack_once_it_has_a_name(bench):
    seen = []
    bench.things.answer("CREATE", Waiting(1, None, {"n": 1}), Waiting(1, {"Id": "thing-00000001"}, {"n": 2}), None)
    invoke = bench.things.invoke

    def watched(call):
        seen.append({name: each.physical_id for name, each in bench.resources().items()})
        return invoke(call)

    bench.things.invoke = watched
    bench.create(THING % ("one", "red"))
    assert seen[:3] == [{}, {}, {"A": "thing-00000001"}]


def test_handlers_are_told_of_the_stack_and_its_tags_before_and_after(bench):
    arn = bench.create(THING % ("one", "red"), tags={"team": "blue"})
    after = (THING % ("one", "green")).replace("}}}", "}}, B: {Type: Acme::Web::Thing, DependsOn: A}}")
    bench.things.fail("CREATE", logical_id="B")
    bench.update(after, tags={"team": "green"})
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    calls = [each for each in bench.things.calls if each.logical_id == "A"]
    assert {each.stack_id for each in bench.things.calls} == {arn}
    told = [(each.action, each.tags, each.previous_tags) for each in calls if each.action != "READ"]
    assert told == [
        ("CREATE", {"team": "blue"}, None),
        ("UPDATE", {"team": "green"}, {"team": "blue"}),
        ("UPDATE", {"team": "blue"}, {"team": "green"}),
    ]


def test_reads_that_may_succeed_later_are_tried_again_later(bench):
    bench.things.answer("READ", *[Failed("Throttling", "later")] * 3)
    began = bench.clock.time
    bench.create(THING % ("one", "red"))
    assert bench.stack().status == "CREATE_COMPLETE"
    assert bench.clock.time - began >= 1 + 2 + 4


def test_a_resource_that_had_to_go_first_is_created_again(database):
    bench = Bench(database, thing_schema(replacementStrategy="delete_then_create"))
    bench.create(THING % ("one", "red"))
    old = bench.resources()["A"].physical_id
    bench.things.answer("CREATE", Failed("InvalidRequest", "no"), None)
    bench.update(THING % ("two", "red"))
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    again = bench.resources()["A"].physical_id
    assert again != old
    rolling_back = bench.story()[[status for _, status, _ in bench.story()].index("UPDATE_ROLLBACK_IN_PROGRESS") + 1 :]
    replacing = "Requested update requires the creation of a new physical resource; hence creating one."
    assert [each for each in rolling_back if each[0] == "A"] == [
        ("A", "UPDATE_IN_PROGRESS", replacing),
        ("A", "UPDATE_IN_PROGRESS", "Resource creation Initiated"),
        ("A", "UPDATE_COMPLETE", None),
    ]


@pytest.mark.parametrize(("policy", "kept"), [("RetainExceptOnCreate", 1), ("Retain", 1), ("Delete", 0)])
def test_deletion_policies_that_keep_a_resource(bench, policy, kept):
    bench.create(f"Resources: {{A: {{Type: Acme::Web::Thing, DeletionPolicy: {policy}}}}}")
    bench.delete()
    assert len(bench.things.stored) == kept


@pytest.mark.parametrize(("policy", "kept"), [("Retain", 2), ("Delete", 1)])
def test_an_update_replace_policy_may_be_a_parameter(bench, policy, kept):
    text = """
    Transform: AWS::LanguageExtensions
    Parameters: {Policy: {Type: String}}
    Resources: {A: {Type: Acme::Web::Thing, UpdateReplacePolicy: !Ref Policy, Properties: {Name: %s}}}
    """
    given = {"parameters": {"Policy": policy}, "capabilities": ("CAPABILITY_AUTO_EXPAND",)}
    bench.create(text % "one", **given)
    bench.update(text % "two", **given)
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert len(bench.things.stored) == kept


def test_a_reference_that_is_gone_fails_the_resource(database):
    def resolve(_scope, value):
        if gone:
            raise StackError("the parameter is gone")
        return value

    gone = False
    bench = Bench(database, references=Resolving(resolve))
    bench.create(THING % ("one", "red"))
    physical_id = bench.resources()["A"].physical_id
    gone = True
    bench.update(THING % ("one", "blue"), options=KEEP)
    resource = bench.resources()["A"]
    assert (resource.status, resource.physical_id) == ("UPDATE_FAILED", physical_id)
    assert resource.reason == "the parameter is gone"


def test_a_replacement_that_is_undone_shows_the_old_resource_complete(bench):
    bench.create(THING % ("one", "red"))
    old = bench.resources()["A"].physical_id
    bench.things.fail("CREATE", logical_id="B")
    bench.update((THING % ("two", "red")).replace("}}}", "}}, B: {Type: Acme::Web::Thing, DependsOn: A}}"))
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert shown(bench, "UPDATE_COMPLETE")[-1] == ("UPDATE_COMPLETE", old, {"Name": "one", "Color": "red"})
    assert bench.resources()["A"].physical_id == old


def test_a_secret_that_is_read_back_is_stored_as_its_reference(database):
    reference = "{{resolve:secretsmanager:paint}}"

    def resolve(_scope, value):
        return {**value, "Color": Secret("hush-hush")} if isinstance(value, dict) else value

    bench = Bench(database, references=Resolving(resolve))
    bench.create(THING % ("one", f'"{reference}"'))
    assert bench.things.stored[0]["Color"] == "hush-hush"
    assert bench.resources()["A"].model["Color"] == reference
