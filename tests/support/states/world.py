"""An engine whose handlers are in this process and keep what they make in the database: its state runs anywhere.

Every handler answers IN_PROGRESS once, and so does every hook. A resource whose colour is "bad" fails before it is
made, one whose colour is "half" after it was made.
"""

import contextlib
import json
import os
import signal
import threading
import time

from sqlalchemy import func, select

from formwork.cloud_control import CloudControl, TypeChoice
from formwork.durable import open_database
from formwork.durable.workflows import Workflows
from formwork.engine.change_sets import ChangeSets, NewChangeSet
from formwork.engine.drift.detection import DriftDetection
from formwork.engine.planning.imports import ResourceToImport
from formwork.extensions import ExtensionKind
from formwork.hooks import HookFailed, HookPassed, HookWaiting, TargetKind
from formwork.preparation.parameters import GivenParameter
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.registry.requests import RegisterTypeRequest, TestTypeRequest
from formwork.service_types.signalling.conditions import WaitConditions
from formwork.stack_sets.definitions import DefinitionRequest
from formwork.stack_sets.instances import InstancesRequest, every
from formwork.stack_sets.preferences import Preferences
from formwork.stack_sets.service import StackSetService
from formwork.stack_sets.stack_sets import StackSetChange
from formwork.stacks.errors import StackError
from formwork.stacks.store.events import latest_event_time
from formwork.stacks.store.records import ChangeSetRequest, OperationOptions
from formwork.stacks.store.signals import SignalRecord, write_signal
from formwork.stacks.store.tables import requests
from support.engines import HERE, Bench, Checkpoints, Guard, Scripted, thing_schema
from support.registry import Desk, by_name
from support.registry_crash import packages, prove_well

THING, FIRST, TAGGED = "Acme::Web::Thing", "Acme::Web::First", "Acme::Web::Tagged"
SCHEMAS = [
    thing_schema(THING),
    thing_schema(FIRST, replacementStrategy="delete_then_create"),
    thing_schema(TAGGED, tagging={"taggable": True, "tagUpdatable": True, "tagProperty": "/properties/Tags"}),
]
CHILD = "s3://templates/child"
ACCOUNTS, REGIONS = (HERE.account, "444455556666"), ("eu-west-1", "us-east-1")
_WRITES = {"CREATE", "UPDATE", "DELETE"}


class Clock:
    """The time since a moment: a state that was stopped long ago goes on where it was."""

    def __init__(self, start):
        self._offset = start - time.time()

    def now(self):
        return time.time() + self._offset


class Slow(Scripted):
    """A handler that answers IN_PROGRESS once, and tells the world before and after it has worked."""

    def __init__(self, inner, world):
        super().__init__(inner)
        self._world = world

    def invoke(self, call):
        self._world.reached("call", call.action, call.logical_id)
        if call.action not in _WRITES:
            return self.inner.invoke(call)
        color, context = (call.desired or {}).get("Color"), {"calls": 1}
        if color == "bad":
            return Failed("InvalidRequest", "a bad colour")
        if call.action == "UPDATE" and color == self._world.stuck:
            return Failed("InvalidRequest", "no way to that colour")
        if call.context is not None:
            return self._second(call, color)
        if call.action == "CREATE":
            made = self.inner.invoke(_first_call(call))
            return made if isinstance(made, Failed) else Waiting(0.0, made.model, context)
        return Waiting(0.0, dict(call.desired) if call.action == "UPDATE" else None, context)

    def _second(self, call, color):
        if call.action == "CREATE" and color == "half":
            return Failed("InvalidRequest", "half a colour", model=call.desired)
        if call.action == "UPDATE" and call.desired.get("Size") != call.previous.get("Size"):
            return Failed("NotUpdatable", "it can't grow")
        found = self.inner.invoke(_first_call(call))
        self._world.reached("called", call.action, call.logical_id)
        return found


def _first_call(call):
    """The call as the simulator knows it: what it makes is made at once, and once for a token."""
    values = {name: getattr(call, name) for name in call.__struct_fields__}
    return HandlerCall(**{**values, "context": None})


class SlowHook(Guard):
    """A hook that answers IN_PROGRESS once, and refuses what is forbidden."""

    def __init__(self, world, kinds):
        super().__init__(kinds=kinds)
        self._world = world

    def invoke(self, call):
        named = call.target.kind in {TargetKind.RESOURCE, TargetKind.STACK}
        self._world.reached("hook", call.target.action, call.target.identifier if named else "")
        if call.context is None:
            return HookWaiting(0.0, {"calls": 1})
        if (call.model.get("resourceProperties") or {}).get("Color") == "forbidden":
            return HookFailed("a forbidden colour", refused=True)
        return HookPassed("fine")


class Address:
    """A `ServiceAddress` at which nothing listens."""

    def read_address(self):
        return "http://127.0.0.1:1"


class World(Bench):
    """An engine with everything that has durable work over it, and what the stories do with it."""

    def __init__(self, database, *, work, clock, hooks=()):
        self.stuck = None
        self.moments = threading.Condition()
        self.stop = None
        super().__init__(
            database,
            *SCHEMAS,
            work=work,
            clock=clock,
            hooks=[SlowHook(self, hooks)] if hooks else [],
            checkpoint=lambda name: self.reached("checkpoint", name),
        )
        for name, each in self.table.by_name.items():
            self.table.by_name[name] = Slow(each.inner, self)
        WaitConditions(self.engine, Address()).add_to(self.table.own)
        self.drift = DriftDetection(self.engine, self.work)
        self.control = CloudControl(self.engine, self.work)
        self.stack_sets = StackSetService(self.engine, self.drift, self.work)
        self.change_sets = ChangeSets(self.engine)
        self.desk = Desk(
            database,
            work=self.work,
            keep_database=True,
            prove=prove_well,
            observer=Checkpoints(lambda name: self.reached("checkpoint", name)),
        )
        for name, content in packages().items():
            self.desk.storage.objects[f"s3://packages/{name}"] = content

    def resume(self):
        for each in (self.desk.registry, self.engine, self.control, self.stack_sets):
            each.resume()

    def reached(self, *moment):
        """Note a moment; die at it where that is what is asked."""
        if self.stop is not None:
            self.stop.meet(self, moment)

    # -- what stories do

    def thing(self, logical_id):
        return self.resources()[logical_id].physical_id

    def outside(self, name, type_name=THING, **properties):
        """The identifier of a thing that no stack has, the same one again for the same name."""
        call = HandlerCall(action="CREATE", desired={"Color": "red", **properties}, token=f"outside-{name}")
        return self.table.by_name[type_name].inner.invoke(call).model["Id"]

    def remove_outside(self, name):
        call = HandlerCall(action="DELETE", desired={"Id": self.outside(name)}, token=f"gone-{name}")
        self.table.by_name[THING].inner.invoke(call)

    def signal(self, logical_id, number):
        stack = self.stack()
        with self.engine.database.begin() as connection:
            write_signal(connection, SignalRecord(stack.id, logical_id, f"s{number}", "SUCCESS", self.clock.now()))

    def signal_handle(self, logical_id):
        """What a program posts to a wait condition's handle."""
        stack = self.stack()
        record = SignalRecord(stack.id, logical_id, "one", "SUCCESS", self.clock.now(), "done", "data")
        with self.engine.database.begin() as connection:
            write_signal(connection, record)

    def make_change_set(self, template, kind="UPDATE", imports=(), **more):
        found = tuple(
            ResourceToImport(type=kind_, logical_id=name, identifier={"Id": value}) for name, kind_, value in imports
        )
        asked = NewChangeSet(
            name="c", kind=kind, stack=self.request(template, **more), request=ChangeSetRequest(), imports=found
        )
        self.change_sets.create(HERE, asked)

    def execute_change_set(self):
        self.change_sets.execute(HERE, "c", "shop", token=None, options=OperationOptions())

    def make_stack_set(self, template):
        self.stack_sets.sets.create(HERE, "all", DefinitionRequest(template=template, parameters=()))

    def instances(self):
        return InstancesRequest(
            name="all", places=every(ACCOUNTS, REGIONS), overrides=None, preferences=Preferences(), operation_id=None
        )

    def change_stack_set(self, template, **parameters):
        given = tuple(GivenParameter(*each) for each in parameters.items())
        change = StackSetChange(
            name="all",
            definition=DefinitionRequest(template=template, parameters=given),
            operation_id=None,
            preferences=Preferences(),
            targets=None,
        )
        self.stack_sets.sets.update(HERE, change)

    def register(self, package, name):
        """Begin to register a version of a type."""
        request = RegisterTypeRequest(
            type_name=name, kind=ExtensionKind.RESOURCE, package_url=f"s3://packages/{package}.zip"
        )
        self.desk.registry.register_type(HERE, request)

    def test_registered(self, name):
        """Begin to test the default version of a type."""
        self.desk.registry.test_type(HERE, TestTypeRequest(type=by_name(name), log_bucket="results"))

    def request_resource(self, operation, **properties):
        """A request of Cloud Control for the thing of it that the story has."""
        chosen = TypeChoice(name=THING)
        match operation:
            case "create":
                self.control.create(HERE, chosen, json.dumps(properties))
            case "update":
                patch = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in properties.items()]
                self.control.update(HERE, chosen, self.outside("one"), json.dumps(patch))
            case "delete":
                self.control.delete(HERE, chosen, self.outside("one"))


@contextlib.contextmanager
def open_world(folder, url=None, *, hooks=(), later=None, **workflows):
    """The world of a folder, or of a PostgreSQL database beside it, at work.

    `later` is how long after the last thing that happened in it its state is opened, None for the time as it is.
    """
    database = open_database(url or folder, state=folder)
    database.migrate()
    start = time.time()
    if later is not None:
        with database.read() as connection:
            requested = connection.execute(select(func.max(requests.c.updated))).scalar()
            start = max(latest_event_time(connection), requested or 0.0) + later
    try:
        with Workflows(database, **workflows) as work:
            world = World(database, work=work, clock=Clock(start), hooks=hooks)
            work.launch(world.resume)
            world.resume()
            yield world
            world.desk.close()
    finally:
        database.close()


class Stop:
    """The moment at which a process kills itself: the `number`-th time that `moment` is reached; `before` is done then."""

    def __init__(self, *moment, number=1, before=lambda _world: None):
        self.moment = moment
        self.number = number
        self.before = before

    def arm(self, world, *, dies=True):
        world.stop = self
        self.dies = dies
        self.left = self.number
        self.lock = threading.Lock()

    def meet(self, world, moment):
        if moment != self.moment:
            return
        with self.lock:
            self.left -= 1
            left = self.left
        if left == 0:
            self.before(world)
            if self.dies:
                os.kill(os.getpid(), signal.SIGKILL)


class Seen(Stop):
    """The moment at which something can be seen in the database, and has been so for a while."""

    def __init__(self, holds):
        super().__init__("seen")
        self.holds = holds

    def arm(self, world, *, dies=True):
        super().arm(world, dies=dies)
        threading.Thread(target=self._look, args=[world], daemon=True).start()

    def wait(self, world):
        while not self._holds(world):
            time.sleep(0.01)

    def _holds(self, world):
        try:
            return self.holds(world)
        except StackError:  # there is no stack yet
            return False

    def _look(self, world):
        self.wait(world)
        time.sleep(0.3)
        world.reached("seen")
