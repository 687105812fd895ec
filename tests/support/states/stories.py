"""Every stage that work can be stopped in: what came before, what is stopped, when, and what goes on afterwards."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from formwork.engine.recovery import RollbackRequest
from formwork.hooks import TargetKind
from formwork.stacks.store.records import OperationOptions, StackSettings
from support.engines import HERE
from support.registry import THING as STORE
from support.registry_crash import TESTED
from support.states.world import CHILD, FIRST, TAGGED, THING, Seen, Stop

WAIT_CONDITION, HANDLE = "AWS::CloudFormation::WaitCondition", "AWS::CloudFormation::WaitConditionHandle"
_RESOURCES, _STACKS = (TargetKind.RESOURCE,), (TargetKind.STACK,)
KEEPS = OperationOptions(keep_on_failure=True)


@dataclass(frozen=True)
class Story:
    """`before` happens, each to its end; `last` is begun and stopped at `stop`; `then` happens in the next process.

    `hooks` are the targets that a hook looks at; the next process begins `later` seconds after this one was stopped.
    """

    last: Callable
    stop: Stop
    before: tuple = ()
    then: Callable = lambda _world: None
    hooks: tuple = ()
    later: float = 1.0
    templates: dict = field(default_factory=dict)


def resource(type_name=THING, after=None, attributes=None, **properties):
    found = {"Type": type_name, "Properties": properties, **(attributes or {})}
    return found if after is None else {**found, "DependsOn": after}


def template(more=None, **resources):
    return json.dumps({"Resources": resources, **(more or {})})


def pair(color="red", other=None, name="a", **first):
    """Two things, the second one after the first; `name` is part of their names, which can't change."""
    return template(
        A=resource(Name=f"{name}A", Color=color, **first),
        B=resource(after="A", Name=f"{name}B", Color=other or color),
    )


def firsts(name, other="red"):
    """Of a type that is replaced by deleting first, and a thing after it."""
    return template(A=resource(FIRST, Name=f"{name}A", Color="red"), B=resource(after="A", Name="B", Color=other))


def nested(color, other="red", resources=2):
    """A stack with a nested one, and a thing after that."""
    given = {"Color": color, "Two": str(resources == 2).lower()}
    child = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": CHILD, "Parameters": given}}
    return template(Child=child, B=resource(after="Child", Name="B", Color=other))


CHILD_TEMPLATE = json.dumps(
    {
        "Parameters": {"Color": {"Type": "String"}, "Two": {"Type": "String"}},
        "Conditions": {"Two": {"Fn::Equals": [{"Ref": "Two"}, "true"]}},
        "Resources": {
            "R1": resource(Name="R1", Color={"Ref": "Color"}),
            "R2": {**resource(Name="R2", Color={"Ref": "Color"}, after="R1"), "Condition": "Two"},
        },
        "Outputs": {"Color": {"Value": {"Ref": "Color"}}},
    }
)
SIGNALLED = {"CreationPolicy": {"ResourceSignal": {"Count": 2, "Timeout": "PT30M"}}}
WAITS = template(
    H={"Type": HANDLE},
    W={"Type": WAIT_CONDITION, "Properties": {"Handle": {"Ref": "H"}, "Timeout": "600", "Count": 1}},
)
WATCHED = StackSettings(rollback_configuration={"MonitoringTimeInMinutes": 1})
SET_TEMPLATE = template(
    {"Parameters": {"Color": {"Type": "String", "Default": "red"}}}, Thing=resource(Color={"Ref": "Color"})
)
KEPT = {"DeletionPolicy": "Retain"}


def create(text, **more):
    return lambda world: world.create(text, **more)


def update(text, **more):
    return lambda world: world.update(text, **more)


def delete(world):
    world.delete()


def stick(color):
    def act(world):
        world.stuck = color

    return act


def roll_back(world):
    world.recovery.roll_back(HERE, RollbackRequest(name="shop"))


def go_on_rolling_back(world):
    world.recovery.continue_update_rollback(HERE, RollbackRequest(name="shop"))


def checkpoint(name, number=1):
    return Stop("checkpoint", name, number=number)


def call(action, logical_id, number=1, **more):
    return Stop("call", action, logical_id, number=number, **more)


def event_with(reason):
    return Seen(lambda world: any(reason in (each or "") for _, _, each in world.story()))


def all_made(world):
    return any(world.resources()) and all(each.status == "CREATE_COMPLETE" for each in world.resources().values())


def waits_for_program(world):
    return ("W", "CREATE_IN_PROGRESS", None) in world.story()


def import_into(text, *imports):
    """Make a change set that imports; each of `imports` is (logical id, type, name of what exists)."""

    def act(world):
        found = [(name, kind, world.outside(known, kind)) for name, kind, known in imports]
        world.make_change_set(text, kind="IMPORT", imports=found)

    return act


def drift(world):
    world.drift.detect_stack(HERE, "shop")


def request(operation, **properties):
    return lambda world: world.request_resource(operation, **properties)


def _creations():
    red = create(pair())
    for name in ("noted", "claimed", "opened-create", "after-create", "waiting-create", "kept-create", "before-read"):
        yield f"create-{name}", Story(red, checkpoint(name))
    yield "create-made", Story(red, checkpoint("finished-deploy"))
    yield "create-deployed", Story(red, checkpoint("deployed"))
    yield "create-ended", Story(red, checkpoint("ended"))
    yield "create-in-call", Story(red, Stop("called", "CREATE", "B"))
    yield (
        "create-signals",
        Story(
            lambda world: (world.create(template(A=resource(attributes=SIGNALLED, Color="red"))), world.signal("A", 1)),
            event_with("Received SUCCESS"),
            then=lambda world: world.signal("A", 2),
        ),
    )
    yield (
        "create-wait-condition",
        Story(create(WAITS), Seen(waits_for_program), then=lambda world: world.signal_handle("H")),
    )
    yield "create-nested", Story(create(nested("red")), call("CREATE", "R1"))
    yield (
        "create-monitored",
        Story(create(pair(), settings=WATCHED), Seen(all_made), later=58.0),
    )
    failing = create(pair(other="half"))
    yield "create-failed", Story(failing, checkpoint("failed"))
    yield "create-undoing", Story(failing, checkpoint("undoing"))
    yield "create-rollback-opened", Story(failing, checkpoint("opened-delete", 2))
    yield "create-rollback-waiting", Story(failing, checkpoint("waiting-delete"))
    kept = create(pair(other="half"), options=KEEPS)
    again = update(pair(other="blue"), options=KEEPS)
    yield "recreate-deleting", Story(again, checkpoint("waiting-delete"), before=(kept,))
    yield "recreate-creating", Story(again, checkpoint("waiting-create"), before=(kept,))
    yield "kept-rolling-back", Story(roll_back, checkpoint("waiting-delete"), before=(kept,))


def _hooks():
    red = create(pair())
    yield "hooks-begun", Story(red, checkpoint("hooks-begun"), hooks=_RESOURCES)
    yield "hooks-told", Story(red, checkpoint("hooks-told"), hooks=_RESOURCES)
    yield "hooks-asked", Story(red, Stop("hook", "CREATE", "B", number=2), hooks=_RESOURCES)
    replacing = update(firsts("b"))
    story = Story(replacing, Stop("hook", "CREATE", "A", number=2), before=(create(firsts("a")),), hooks=_RESOURCES)
    yield "hooks-of-replacement", story
    refused = create(pair(other="forbidden"))
    yield "hooks-refused", Story(refused, Stop("hook", "CREATE", "B", number=2), hooks=_RESOURCES)
    yield "stack-hooks", Story(red, Stop("hook", "CREATE", "shop", number=2), hooks=_STACKS)
    made = create(pair())
    yield (
        "change-set-hooks",
        Story(
            lambda world: world.make_change_set(pair("blue")),
            Stop("hook", "CREATE", "", number=2),
            before=(made,),
            hooks=(TargetKind.CHANGE_SET,),
        ),
    )
    yield (
        "change-set-executed",
        Story(
            lambda world: world.execute_change_set(),
            checkpoint("waiting-update"),
            before=(made, lambda world: world.make_change_set(pair("blue"))),
        ),
    )


def _updates():
    made, blue = create(pair()), update(pair("blue"))
    for name in ("noted", "opened-update", "after-update", "waiting-update", "kept-update"):
        yield f"update-{name}", Story(blue, checkpoint(name), before=(made,))
    renamed = update(pair("blue", name="b"))
    yield "replacement-waiting", Story(renamed, checkpoint("waiting-create"), before=(made,))
    yield "replacement-noted", Story(renamed, checkpoint("leftover-noted"), before=(made,))
    yield "replacement-made", Story(renamed, checkpoint("finished-deploy"), before=(made,))
    yield "replacement-cleaning-up", Story(renamed, checkpoint("cleaning-up"), before=(made,))
    yield "replacement-removing", Story(renamed, checkpoint("waiting-delete"), before=(made,))
    yield "replacement-removed", Story(renamed, checkpoint("cleaned-up"), before=(made,))
    first = create(firsts("a"))
    yield "delete-first-opened", Story(update(firsts("b")), checkpoint("opened-delete"), before=(first,))
    yield "delete-first-waiting", Story(update(firsts("b")), checkpoint("waiting-delete"), before=(first,))
    yield "delete-first-deleted", Story(update(firsts("b")), checkpoint("opened-create"), before=(first,))
    sized, grown = create(pair(Size=1)), update(pair(Size=2))
    yield "update-or-replace", Story(grown, call("UPDATE", "A", 2), before=(sized,))
    yield "update-replaced", Story(grown, checkpoint("waiting-create"), before=(sized,))
    fewer = update(template(A=resource(Name="aA", Color="blue")))
    yield "update-leftovers-noted", Story(fewer, checkpoint("leftovers-noted"), before=(made,))
    yield "update-cleaning-up", Story(fewer, checkpoint("opened-delete"), before=(made,))


def _rollbacks():
    made = create(pair())
    failing = update(pair("blue", "bad"))
    yield "update-failed", Story(failing, checkpoint("failed"), before=(made,))
    yield "update-undoing", Story(failing, checkpoint("undoing"), before=(made,))
    yield "rollback-opened", Story(failing, checkpoint("opened-update", 3), before=(made,))
    yield "rollback-waiting", Story(failing, checkpoint("waiting-update", 2), before=(made,))
    yield "rollback-done", Story(failing, checkpoint("rolled-back"), before=(made,))
    replaced = update(template(A=resource(Name="bA", Color="blue"), B=resource(after="A", Name="aB", Color="bad")))
    yield "rollback-of-replacement", Story(replaced, checkpoint("undoing"), before=(made,))
    yield "rollback-removing", Story(replaced, checkpoint("waiting-delete"), before=(made,))
    first = create(firsts("a"))
    yield "rollback-of-delete-first", Story(update(firsts("b", "bad")), checkpoint("undoing"), before=(first,))
    again = checkpoint("waiting-create", 2)
    yield "rollback-creating-again", Story(update(firsts("b", "bad")), again, before=(first,))
    more = update(
        template(
            A=resource(Name="aA", Color="red"),
            N=resource(Name="new", Color="red"),
            B=resource(after="N", Name="aB", Color="bad"),
        )
    )
    yield "rollback-of-new", Story(more, checkpoint("leftover-noted"), before=(made,))
    keeping = update(pair("blue", "bad"), options=KEEPS)
    yield "rollback-stack", Story(roll_back, checkpoint("opened-update"), before=(made, keeping))
    stuck = (made, stick("red"), failing, stick(None))
    yield "continue-noted", Story(go_on_rolling_back, checkpoint("noted"), before=stuck)
    yield "continue-waiting", Story(go_on_rolling_back, checkpoint("waiting-update"), before=stuck)
    cancel = call("UPDATE", "A", before=lambda world: world.recovery.cancel_update(HERE, "shop"))
    yield "update-cancelled", Story(update(pair("blue")), cancel, before=(made,))


def _deletions():
    made = create(pair())
    for name in ("noted", "opened-delete", "after-delete", "waiting-delete", "removed"):
        yield f"delete-{name}", Story(delete, checkpoint(name), before=(made,))
    yield "delete-in-call", Story(delete, Stop("called", "DELETE", "A"), before=(made,))


def _nested():
    made = create(nested("red"))
    yield "nested-held", Story(update(nested("blue", "blue")), call("UPDATE", "B"), before=(made,))
    failing = update(nested("blue", "bad"))
    yield "nested-undone", Story(failing, call("UPDATE", "R1", 3), before=(made,))
    fewer = update(nested("blue", "blue", resources=1))
    yield "nested-cleaning-up", Story(fewer, call("DELETE", "R2"), before=(made,))
    yield "nested-deleting", Story(delete, call("DELETE", "R1"), before=(made,))


def _imports():
    kept = template(A=resource(attributes=KEPT, Color="red"))
    both = template(
        A=resource(attributes=KEPT, Color="red"),
        B=resource(after="A", attributes=KEPT, Color="red"),
    )
    tagged = template(A=resource(TAGGED, attributes=KEPT, Color="red"))
    one, execute = import_into(kept, ("A", THING, "one")), lambda world: world.execute_change_set()
    two = import_into(both, ("A", THING, "one"), ("B", THING, "two"))
    yield "import-opened", Story(execute, checkpoint("opened-import"), before=(one,))
    yield "import-reading", Story(execute, call("READ", "A"), before=(one,))
    yield "import-made", Story(execute, checkpoint("finished-deploy"), before=(two,))
    gone = (two, lambda world: world.remove_outside("two"))
    yield "import-undoing", Story(execute, checkpoint("undoing"), before=gone)

    def with_tags(world):
        imports = [("A", TAGGED, world.outside("one", TAGGED))]
        world.make_change_set(tagged, kind="IMPORT", imports=imports, tags={"stage": "test"})

    yield "import-tagging", Story(execute, call("UPDATE", "A"), before=(with_tags,))


def _others():
    made = create(pair())
    yield "drift", Story(drift, call("READ", "B"), before=(made,))

    def some(world):
        world.make_stack_set(SET_TEMPLATE)

    def fill(world):
        world.stack_sets.instances.create(HERE, world.instances())

    def change(world):
        world.change_stack_set(SET_TEMPLATE, Color="blue")

    def empty(world):
        world.stack_sets.instances.delete(HERE, world.instances(), retain=False)

    yield "stack-set-creating", Story(fill, call("CREATE", "Thing", 3), before=(some,))
    yield "stack-set-updating", Story(change, call("UPDATE", "Thing", 4), before=(some, fill))
    yield "stack-set-deleting", Story(empty, call("DELETE", "Thing", 3), before=(some, fill))
    there = lambda world: world.outside("one", Color="red")  # noqa: E731 - as short as the others
    asked = (TargetKind.CLOUD_CONTROL,)
    yield "request-creating", Story(request("create", Color="blue"), Stop("called", "CREATE", ""))
    yield "request-asking", Story(request("create", Color="blue"), Stop("hook", "CREATE", "", number=2), hooks=asked)
    yield "request-updating", Story(request("update", Color="blue"), call("UPDATE", "", 2), before=(there,))
    yield "request-deleting", Story(request("delete"), Stop("called", "DELETE", ""), before=(there,))


def _registrations():
    known = lambda world: world.register("one", STORE)  # noqa: E731 - as short as the others
    again = lambda world: world.register("two", STORE)  # noqa: E731 - the same
    for name in ("noted", "open", "opened", "checked", "finish", "finished"):
        yield f"register-{name}", Story(again, checkpoint(f"register-{name}"), before=(known,))
    tested = lambda world: world.register("tested", TESTED)  # noqa: E731 - the same
    yield "register-prove", Story(tested, checkpoint("register-prove"))
    broken = lambda world: world.register("broken", STORE)  # noqa: E731 - the same
    yield "register-failed", Story(broken, checkpoint("register-failed"))
    test = lambda world: world.test_registered(STORE)  # noqa: E731 - the same
    for name in ("noted", "running", "delivered"):
        yield f"test-{name}", Story(test, checkpoint(f"test-{name}"), before=(known,))


STORIES = {
    name: story
    for group in (_creations, _hooks, _updates, _rollbacks, _deletions, _nested, _imports, _others, _registrations)
    for name, story in group()
}
