"""Resources that exist already are imported: what is refused, what is read, what becomes of it."""

import json
import urllib.request

import pytest

from formwork.engine.change_sets import ChangeSets, NewChangeSet
from formwork.engine.drift.detection import DriftDetection
from formwork.engine.planning.imports import ResourceToImport
from formwork.hooks import HookFailed, HookTarget, TargetKind
from formwork.hooks.settings import HookSettings
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import ChangeSetRequest, OperationOptions
from support.engines import HERE, AtOnce, Bench, Clock, Guard, thing_schema

TYPE = "Acme::Web::Thing"
KEPT = {"Type": TYPE, "DeletionPolicy": "Retain", "Properties": {"Color": "red"}}
OLD = {"Type": TYPE, "Properties": {"Name": "old"}}


def template(more=None, **resources):
    return json.dumps({"Resources": resources, **(more or {})})


def outside(bench, **properties):
    """A thing that no stack has; its identifier."""
    call = HandlerCall(
        action="CREATE", desired={"Color": "red", **properties}, token=f"outside-{len(bench.things.stored)}"
    )
    return bench.things.invoke(call).model.get("Id")


def to_import(value, name="A", **more):
    return ResourceToImport(**{"type": TYPE, "logical_id": name, "identifier": {"Id": value}, **more})


def ask(bench, text, *imports, kind="IMPORT", existing=False, **more):
    asked = NewChangeSet(
        name="c",
        kind=kind,
        stack=bench.request(text, **more),
        request=ChangeSetRequest(import_existing=existing),
        imports=imports,
    )
    return ChangeSets(bench.engine).create(HERE, asked)


def execute(bench):
    ChangeSets(bench.engine).execute(HERE, "c", "shop", token=None, options=OperationOptions())


def test_into_a_new_stack(bench):
    identifier = outside(bench)
    outputs = {"Outputs": {"Arn": {"Value": {"Fn::GetAtt": ["A", "Arn"]}}}}
    found = ask(bench, template(outputs, A=KEPT), to_import(identifier))
    assert bench.stack().status == "REVIEW_IN_PROGRESS"
    (change,) = found.changes(values=False)
    assert (change["action"], change["physical_id"], change["replacement"]) == ("Import", identifier, None)
    execute(bench)
    stack, resource = bench.stack(), bench.resources()["A"]
    assert stack.status == "IMPORT_COMPLETE"
    assert (resource.physical_id, resource.status) == (identifier, "UPDATE_COMPLETE")
    assert stack.outputs["Arn"][0] == resource.model["Arn"]
    assert [each for each in bench.story() if each[0] == "A"] == [
        ("A", "IMPORT_IN_PROGRESS", "Resource import started."),
        ("A", "IMPORT_COMPLETE", "Resource import completed."),
        ("A", "UPDATE_IN_PROGRESS", "Apply stack-level tags to imported resource if applicable."),
        ("A", "UPDATE_COMPLETE", None),
    ]
    events = [event for _, event in bench.engine.lookups.list_events(HERE, "shop") if event.logical_id == "A"]
    assert {(event.physical_id, event.details.properties) for event in events} == {(identifier, '{"Color": "red"}')}
    assert [each.action for each in bench.things.calls] == ["CREATE", "READ", "READ"]
    bench.update(template(A={**KEPT, "Properties": {"Color": "blue"}}))
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert bench.things.stored[0]["Color"] == "blue"


def test_into_a_stack_and_what_it_is_apart_from_the_template(database):
    clock = Clock()
    work = AtOnce(clock)
    bench = Bench(database, clock=clock, work=work)
    drift = DriftDetection(bench.engine, work)
    identifier = outside(bench, Color="green")
    bench.create(template(Old=OLD))
    ask(bench, template(Old=OLD, A=KEPT), to_import(identifier))
    execute(bench)
    assert bench.stack().status == "IMPORT_COMPLETE"
    assert [each["Name"] for each in bench.things.stored if "Name" in each] == ["old"]
    drift.detect_stack(HERE, "shop")
    assert bench.stack().drift_status == "DRIFTED"
    found = drift.list_drifts(HERE, "shop")[2]["A"]
    assert [(each["path"], each["expected"], each["actual"]) for each in found.details["differences"]] == [
        ("/Color", "red", "green")
    ]
    with pytest.raises(StackError, match=r"Resources \[A\] passed in ResourceToImport are already in a stack"):
        ask(bench, template(Old=OLD, A=KEPT, B=KEPT), to_import(identifier), to_import(identifier, "B"))
    assert ask(bench, template(Old=OLD, A=KEPT, B=KEPT), to_import(identifier, "B")).record.reason == (
        f"{identifier} already exists in stack {bench.stack().arn}"
    )


def test_tags_of_the_stack_are_applied(database):
    schema = thing_schema(tagging={"taggable": True, "tagProperty": "/properties/Tags"})
    bench = Bench(database, schema)
    identifier = outside(bench)
    ask(bench, template(A=KEPT), to_import(identifier), tags={"team": "blue"})
    execute(bench)
    assert bench.stack().status == "IMPORT_COMPLETE"
    update = bench.things.calls[-2]
    assert (update.action, update.tags, update.desired["Color"]) == ("UPDATE", {"team": "blue"}, "red")
    assert not update.answered  # what a read found goes out as the wire has it, as texts


def test_an_update_with_tags_that_waits_sends_what_the_handler_answered(database):
    schema = thing_schema(tagging={"taggable": True, "tagProperty": "/properties/Tags"})
    bench = Bench(database, schema)
    identifier = outside(bench)
    ask(bench, template(A=KEPT), to_import(identifier), tags={"team": "blue"})
    waiting = Waiting(seconds=1, context={}, model={"Id": identifier, "Color": "red"})
    bench.things.answer("UPDATE", waiting, logical_id="A")
    execute(bench)
    assert bench.stack().status == "IMPORT_COMPLETE"
    updates = [each.answered for each in bench.things.calls if each.action == "UPDATE"]
    assert updates == [False, True]


def test_what_cannot_be_read_is_left_alone(bench):
    identifier = outside(bench)
    bench.create(template(Old=OLD))
    ask(bench, template(Old=OLD, A=KEPT), to_import(identifier))
    bench.things.answer("READ", Failed("AccessDenied", "not you"), logical_id="A")
    execute(bench)
    assert bench.stack().status == "IMPORT_ROLLBACK_COMPLETE"
    assert list(bench.resources()) == ["Old"]
    assert len(bench.things.stored) == 2
    assert [(name, status) for name, status, _ in bench.story()][-5:] == [
        ("A", "IMPORT_FAILED"),
        ("shop", "IMPORT_ROLLBACK_IN_PROGRESS"),
        ("A", "IMPORT_ROLLBACK_IN_PROGRESS"),
        ("A", "IMPORT_ROLLBACK_COMPLETE"),
        ("shop", "IMPORT_ROLLBACK_COMPLETE"),
    ]


BARE = {"Type": TYPE, "Properties": {"Color": "red"}}
REFUSED = {
    "nothing": ((), {"A": KEPT}, "Must Provide at least one resource to import"),
    "twice": (
        (to_import("x"), to_import("x")),
        {"A": KEPT},
        "Every resource to import must have unique LogicalResourceId",
    ),
    "missing": (
        (to_import("x", "M"),),
        {"A": KEPT},
        "The logical resource ids [M] provided in ResourceToImport do not exist in the template.",
    ),
    "key": (
        (to_import("x", identifier={"Name": "x"}),),
        {"A": KEPT},
        "Invalid resource identifier for resource type Acme::Web::Thing. Expected [Id]",
    ),
    "type": (
        (to_import("x", type="Acme::Web::Other"),),
        {"A": KEPT},
        (
            "Resource type of [A] passed in ResourceToImport does not match with resource type defined in the template. "
            "Resource type in ResourceToImport: Acme::Web::Other; Resource type in Template: Acme::Web::Thing."
        ),
    ),
    "unknown": (
        (to_import("x", type="Acme::No::Type"),),
        {"A": KEPT},
        "ResourceTypes [Acme::No::Type] are not supported for Import",
    ),
    "none new": ((to_import("x", "Old"),), {}, "The template should contain at least one new resource to import."),
    "unnamed": ((to_import("x"),), {"A": KEPT, "N": BARE}, "Resources [N] is missing from ResourceToImport list"),
    "bare": (
        (to_import("x"),),
        {"A": BARE},
        "The following resources to import [A] must have DeletionPolicy attribute specified in the template.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_at_once(database, case):
    bench = Bench(database, thing_schema(), thing_schema("Acme::Web::Other"))
    imports, resources, message = REFUSED[case]
    bench.create(template(Old=OLD))
    with pytest.raises(StackError) as refused:
        ask(bench, template(Old=OLD, **resources), *imports)
    assert refused.value.message == message


def test_an_import_does_nothing_else(bench):
    identifier = outside(bench)
    bench.create(template(Old=OLD))
    for changed in ({"Old": {**OLD, "Properties": {"Name": "other"}}}, {}):
        with pytest.raises(StackError, match=r"^You have modified resources \[Old\] in your template that are not"):
            ask(bench, template(**changed, A=KEPT), to_import(identifier))


def test_what_is_not_there_fails_the_change_set(bench):
    found = ask(bench, template(A=KEPT), to_import("thing-00000000"))
    assert (found.record.status, found.record.execution_status) == ("FAILED", "UNAVAILABLE")
    assert found.changes(values=True) == []
    assert bench.stack().status == "REVIEW_IN_PROGRESS"


def test_what_exists_is_taken_in_place_of_making_it(database):
    schema = thing_schema(primaryIdentifier=["/properties/Name"], readOnlyProperties=["/properties/Arn"])
    bench = Bench(database, schema)
    outside(bench, Name="there")
    there = {**KEPT, "Properties": {"Name": "there"}}
    made = {"Type": TYPE, "Properties": {"Name": "made"}, "DependsOn": "A"}
    found = ask(bench, template(A={**there, "DeletionPolicy": "Delete"}), kind="CREATE", existing=True)
    assert found.record.reason.endswith("for successful import. The affected resources are A ({Name=there})")
    ChangeSets(bench.engine).delete(HERE, "c", "shop")
    found = ask(bench, template(A=there, B=made), kind="CREATE", existing=True)
    assert [(each["logical_id"], each["action"]) for each in found.changes(values=True)] == [
        ("A", "Import"),
        ("B", "Add"),
    ]
    bench.things.fail("CREATE", logical_id="B")
    execute(bench)
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert [each["Name"] for each in bench.things.stored] == ["there"]
    bench.delete()
    ask(bench, template(A=there, B=made), kind="CREATE", existing=True)
    execute(bench)
    assert bench.stack().status == "CREATE_COMPLETE"
    assert sorted(each["Name"] for each in bench.things.stored) == ["made", "there"]


def test_types_stay(bench, database):
    other = Bench(database, thing_schema(), thing_schema("Acme::Web::Other"))
    other.create(template(Old=OLD))
    message = (
        "Update of resource type is not permitted. The new template modifies resource type of the following "
        "resources: [Old]"
    )
    with pytest.raises(StackError) as refused:
        other.update(template(Old={**OLD, "Type": "Acme::Web::Other"}))
    assert refused.value.message == message
    found = ask(other, template(Old={**OLD, "Type": "Acme::Web::Other"}), kind="UPDATE")
    assert (found.record.status, found.record.reason) == ("FAILED", message)


@pytest.mark.parametrize("new", [True, False], ids=["new stack", "old stack"])
def test_hooks_are_asked_about_what_is_imported(database, new):
    guard = Guard(kinds=(TargetKind.RESOURCE, TargetKind.STACK))
    bench = Bench(database, hooks=[guard])
    identifier = outside(bench)
    if not new:
        bench.create(template(Old=OLD))
        guard.calls.clear()
    ask(bench, template(**({} if new else {"Old": OLD}), A=KEPT), to_import(identifier))
    execute(bench)
    assert bench.stack().status == "IMPORT_COMPLETE"
    stack, resource = (call.target for call in guard.calls)
    assert (stack.kind, stack.action, stack.shown_action) == ("STACK", "CREATE" if new else "UPDATE", "IMPORT")
    assert (resource.identifier, resource.action, resource.shown_action) == ("A", "CREATE", "IMPORT")
    assert guard.calls[1].model == {"resourceProperties": {"Color": "red"}}
    assert [status for name, status, _ in bench.story() if name == "A"] == [
        *["IMPORT_IN_PROGRESS"] * 4,
        "IMPORT_COMPLETE",
        "UPDATE_IN_PROGRESS",
        "UPDATE_COMPLETE",
    ]


def test_an_import_that_a_hook_refuses_touches_nothing(database):
    bench = Bench(database, hooks=[Guard(HookFailed("not this one", refused=True))])
    identifier = outside(bench)
    ask(bench, template(A=KEPT), to_import(identifier))
    execute(bench)
    assert bench.stack().status == "IMPORT_ROLLBACK_COMPLETE"
    assert [call.action for call in bench.things.calls if call.token != "outside-0"] == ["READ"]  # the change set's
    told = [(status, reason) for name, status, reason in bench.story() if name == "A"]
    assert ("IMPORT_FAILED", "The following hook(s) failed: [Acme::Web::Guard]") in told
    assert [each["Id"] for each in bench.things.stored] == [identifier]
    assert bench.resources() == {}


def test_filters_of_hooks_take_an_import_for_what_it_comes_to():
    target = HookTarget(
        kind=TargetKind.RESOURCE, action="CREATE", name=TYPE, identifier="A", execution="arn", imports=True
    )
    covers = {
        action: HookSettings(enabled=True, target_filters={"Actions": [action]}).covers(target)
        for action in ("CREATE", "UPDATE", "DELETE")
    }
    assert covers == {"CREATE": True, "UPDATE": False, "DELETE": False}


def test_a_change_set_that_imports_is_looked_at_as_it_is_made(database):
    guard = Guard(kinds=(TargetKind.CHANGE_SET,))
    bench = Bench(database, hooks=[guard])
    made = ask(bench, template(A=KEPT), to_import(outside(bench)))
    (call,) = guard.calls
    assert (call.target.identifier, call.target.action) == (made.arn, "CREATE")
    (changed,) = json.loads(urllib.request.urlopen(call.payload_url).read())["changedResources"]
    assert (changed["logicalResourceId"], changed["action"]) == ("A", "CREATE")
    execute(bench)
    assert bench.stack().status == "IMPORT_COMPLETE"


def test_a_client_that_asks_again_gets_the_same_change_set(bench):
    """Its connection may have been lost before the answer came."""
    identifier, text = outside(bench), template(A=KEPT)

    def ask_with(token, text=text):
        request = ChangeSetRequest(token=token)
        asked = NewChangeSet(
            name="c", kind="IMPORT", stack=bench.request(text), request=request, imports=(to_import(identifier),)
        )
        return ChangeSets(bench.engine).create(HERE, asked)

    found = ask_with("once")
    assert ask_with("once").arn == found.arn
    for token, other in [("twice", text), ("once", template(A={**KEPT, "DependsOn": []}))]:
        with pytest.raises(StackError) as refused:
            ask_with(token, other)
        assert refused.value.code == "AlreadyExistsException"
    execute(bench)
    assert ask_with("once").arn == found.arn
