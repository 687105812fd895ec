"""A stack of every kind of resource in a process that may be killed, and what must hold in the next one.

The types: one with handlers of its own in processes of their own, which keep what they make in a file of theirs; a hook
that looks at it; a module; and simulated types of AWS's. One stack lives through a story of operations: each process
finishes the operation that the one before it died in, judges what has come of it, begins the next, and dies in it.
"""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from formwork.assembly.assemble import assemble
from formwork.assembly.settings import WorkSettings
from formwork.durable import open_database
from formwork.engine.deletion import DeleteRequest, delete_stack
from formwork.engine.planning.requests import StackRequest
from formwork.engine.recovery import Recovery, RollbackRequest
from formwork.lambda_host.http_messages import Response
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import deliver_object
from formwork.registry.requests import RegisterTypeRequest, SetTypeConfigurationRequest
from formwork.registry.settings import HandlerSettings
from formwork.stacks.store.events import list_events
from formwork.stacks.store.records import OperationOptions
from formwork.stacks.store.stacks import get_stack
from support.engines import Checkpoints
from support.registry import (
    GUARD,
    HERE,
    SHELF,
    THING,
    by_name,
    hook_package,
    hook_schema,
    kind_of,
    module_package,
    resource_package,
    resource_schema,
)

STACK = "shop"
_PATIENCE_SECONDS = 180

# Its store is a journal, a line whatever was made, changed or removed. How long a call takes, how often it asks to be
# called again, and whether it makes the thing in the first call or in the last, depends on the token: the order in
# which resources are done is another one each time. It keeps the contract: the same token makes nothing twice.
HANDLERS = """
import fcntl, hashlib, json, os, time
JOURNAL = %r

def read(file):
    made, live = {}, {}
    for line in file.read().splitlines():
        entry = json.loads(line)
        if "token" in entry:
            made[entry["token"]] = entry["id"]
        if entry.get("gone"):
            live.pop(entry["id"], None)
        else:
            live[entry["id"]] = entry["model"]
    return made, live

def note(**entry):
    file = os.open(JOURNAL, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, (json.dumps(entry) + chr(10)).encode())
    os.close(file)

def stuck():
    try:
        return open(JOURNAL + ".stuck").read()
    except FileNotFoundError:
        return None

def failed(code, message):
    return {"status": "FAILED", "errorCode": code, "message": message}

def resource(event, context):
    with open(JOURNAL, "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        answer = work(event, file)
    number = int(hashlib.sha256((event["bearerToken"] + event["action"]).encode()).hexdigest(), 16)
    time.sleep(number %% 11 / 1000)
    return answer

def work(event, file):
    action, token, desired = event["action"], event["bearerToken"], event["requestData"]["resourceProperties"] or {}
    number = int(hashlib.sha256((token + action).encode()).hexdigest(), 16)
    calls = (event.get("callbackContext") or {}).get("calls", 0)
    file.seek(0)
    made, live = read(file)
    name = desired.get("Name") or live.get(desired.get("Id"), {}).get("Name", "")
    last = calls >= max(number %% 3, name.endswith("0"))  # some always ask to be called again
    again = {"status": "IN_PROGRESS", "callbackContext": {"calls": calls + 1}, "callbackDelaySeconds": 0}
    if action in ("CREATE", "UPDATE") and desired.get("Color") == "bad" and last:
        return failed("InvalidRequest", "a bad colour")
    if action == "CREATE":
        identifier = made.get(token)
        if identifier is None and (last or number %% 2) and desired.get("Color") != "bad":
            identifier = "thing-%%d" %% (len(made) + 1)
            note(id=identifier, token=token, model={**desired, "Id": identifier})
        elif identifier is not None and identifier not in live:
            return failed("NotFound", "it is gone already")
        model = desired if identifier is None else {**desired, "Id": identifier}
        return {"status": "SUCCESS", "resourceModel": model} if last else {**again, "resourceModel": model}
    identifier = desired["Id"]
    if identifier not in live:
        return failed("NotFound", "no such thing")
    if action == "READ":
        return {"status": "SUCCESS", "resourceModel": live[identifier]}
    if not last:
        return {**again, "resourceModel": desired}
    if action == "UPDATE" and desired.get("Color") == stuck():
        return failed("InvalidRequest", "no way to that colour")
    if action == "UPDATE":
        note(id=identifier, model=desired)
        return {"status": "SUCCESS", "resourceModel": desired}
    note(id=identifier, gone=True)
    return {"status": "SUCCESS"}
"""
GUARDS = """
def resource(event, context):
    return {"hookStatus": "SUCCESS", "message": "fine", "clientRequestToken": event["clientRequestToken"]}
"""
ENABLED = {
    "CloudFormationConfiguration": {
        "HookConfiguration": {"TargetStacks": "ALL", "FailureMode": "FAIL", "HookInvocationStatus": "ENABLED"}
    }
}


def _schema():
    schema = resource_schema()
    schema["properties"] = {"Id": {"type": "string"}, "Name": {"type": "string"}, "Color": {"type": "string"}}
    del schema["writeOnlyProperties"]
    return schema | {"primaryIdentifier": ["/properties/Id"], "readOnlyProperties": ["/properties/Id"]}


def packages(journal):
    """The packages of the types; `journal` is the file of the type with handlers."""
    points = {each: {"targetNames": [THING], "permissions": []} for each in ("preCreate", "preUpdate", "preDelete")}
    fragment = {
        "Parameters": {name: {"Type": "String", "Description": name} for name in ("Name", "Color")},
        "Resources": {
            "Thing": {"Type": THING, "Properties": {"Name": {"Ref": "Name"}, "Color": {"Ref": "Color"}}},
            "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Thing"}}},
        },
    }
    return {
        THING: resource_package(schema=_schema(), handlers=HANDLERS % str(journal)),
        GUARD: hook_package(schema=hook_schema(handlers=points), handlers=GUARDS),
        SHELF: module_package(fragment=fragment),
    }


def template(size, prefix, color, bad=None):
    """A template of `size` resources: names begin with `prefix`, the thing number `bad` has a colour that fails."""
    modules = 2 if size >= 20 else 1
    things = (size - 2 * modules) // 2
    resources = {}
    for number in range(things):
        shown = "bad" if number == bad else color
        properties = {"Name": f"{prefix}{number}", "Color": shown}
        resources[f"Thing{number}"] = {"Type": THING, "Properties": properties}
        if number:
            resources[f"Thing{number}"]["DependsOn"] = f"Thing{number // 3}"
    for number in range(size - 2 * modules - things):
        name = f"Queue{number}" if number % 2 else f"Topic{number}"
        if number % 2:
            resources[name] = {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": f"{prefix}{number}"}}
        else:
            shown = {"Fn::Sub": f"${{Thing{number % things}}}-{color}"}
            resources[name] = {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": shown}}
    for number in range(modules):
        properties = {"Name": f"{prefix}m{number}", "Color": color}
        resources[f"Shelf{number}"] = {"Type": SHELF, "Properties": properties}
    return resources


def expected(resources):
    """What there is when such a stack stands: the things by name and colour, the others by type."""
    things = Counter()
    others = Counter()
    for each in resources.values():
        properties = each["Properties"]
        if each["Type"] in {THING, SHELF}:
            things[properties["Name"], properties["Color"]] += 1
        if each["Type"] != THING:
            others["AWS::SNS::Topic" if each["Type"] == SHELF else each["Type"]] += 1
    return things, others


@dataclass(frozen=True)
class Turn:
    """What is done, with which template, the status it ends in, and what stands then (None: half of something).

    No thing can be changed to the colour `stuck` meanwhile.
    """

    do: str
    resources: dict
    status: str
    stands: dict | None
    stuck: str = ""


def operations_of_users(size):
    """Creations, updates and deletions in a circle, with what fails of them rolled back at once."""
    first, blue, other = template(size, "a", "red"), template(size, "a", "blue"), template(size, "b", "blue")
    fewer = dict(list(other.items())[: len(other) // 2])
    fewer = {
        name: each for name, each in fewer.items() if each["Type"] == THING or name == "Topic0"
    }  # so that nothing refers to what is gone
    nothing = {}
    turns = [
        ("create", first, "CREATE_COMPLETE", first),
        ("update", blue, "UPDATE_COMPLETE", blue),
        ("update", other, "UPDATE_COMPLETE", other),
        ("update", template(size, "b", "green", bad=2), "UPDATE_ROLLBACK_COMPLETE", other),
        ("update", template(size, "c", "green", bad=1), "UPDATE_ROLLBACK_COMPLETE", other),
        ("update", fewer, "UPDATE_COMPLETE", fewer),
        ("update", first, "UPDATE_COMPLETE", first),
        ("delete", nothing, "DELETE_COMPLETE", nothing),
        ("create", template(size, "a", "red", bad=2), "ROLLBACK_COMPLETE", nothing),
        ("delete", nothing, "DELETE_COMPLETE", nothing),
    ]
    return [Turn(*each) for each in turns]


def ways_out(size):
    """Failures that are kept and rolled back by hand, and rollbacks that fail and are continued, in a circle."""
    first, green = template(size, "a", "red"), template(size, "a", "green", bad=2)
    turns = [
        ("create", first, "CREATE_COMPLETE", first),
        ("update keeping", template(size, "b", "green", bad=1), "UPDATE_FAILED", None),
        ("roll back", {}, "UPDATE_ROLLBACK_COMPLETE", first),
        ("update", green, "UPDATE_ROLLBACK_FAILED", None, "red"),
        ("continue", {}, "UPDATE_ROLLBACK_COMPLETE", first),
        ("update keeping", green, "UPDATE_FAILED", None, "red"),
        ("roll back", {}, "UPDATE_ROLLBACK_FAILED", None, "red"),
        ("continue", {}, "UPDATE_ROLLBACK_FAILED", None, "red"),
        ("force", {}, "UPDATE_ROLLBACK_COMPLETE", None),
        ("delete", {}, "DELETE_COMPLETE", {}),
        ("create keeping", template(size, "a", "red", bad=2), "CREATE_FAILED", None),
        ("roll back", {}, "ROLLBACK_COMPLETE", {}),
        ("delete", {}, "DELETE_COMPLETE", {}),
    ]
    return [Turn(*each) for each in turns]


STORIES = {each.__name__: each for each in (operations_of_users, ways_out)}


class World:
    """What works in this process, over a folder or a database that processes share."""

    def __init__(self, folder, database=None, *, checkpoint=lambda _name: None, concurrency=2, **settings):
        self.folder = Path(folder)
        self.journal = self.folder / "journal"
        self.objects = ObjectStore(self.folder / "objects")
        self._stack = contextlib.ExitStack()
        self.database = open_database(database or self.folder, state=self.folder)
        self._stack.callback(self.database.close)
        handlers = HandlerSettings(cache=self.folder / "cache", home=Path.home(), concurrency=concurrency)
        settings = WorkSettings(
            handlers=lambda: handlers,
            invoke=lambda _request: Response(404, b""),
            observer=Checkpoints(checkpoint),
            **settings,
        )
        self.work = assemble(self.database, self.objects, settings, self._stack)
        self.engine = self.work.engine

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._stack.close()

    def register(self):
        """Register the types."""
        for name, content in packages(self.journal).items():
            self.add(name, content)
        request = SetTypeConfigurationRequest(type=by_name(GUARD), configuration=json.dumps(ENABLED))
        self.work.registry.set_type_configuration(HERE, request)

    def add(self, name, content):
        """Register one type."""
        self.objects.create_bucket("packages", account=HERE.account, region=HERE.region)
        registry = self.work.registry
        key = name.replace("::", "-")
        deliver_object(self.objects, account=HERE.account, bucket="packages", key=key, content=content)
        request = RegisterTypeRequest(type_name=name, kind=kind_of(name)[0], package_url=f"s3://packages/{key}")
        token = registry.register_type(HERE, request)
        while (found := registry.describe_type_registration(HERE, token)).status == "IN_PROGRESS":
            time.sleep(0.02)
        assert found.status == "COMPLETE", found

    def begin(self, do, resources, turn, name=STACK):
        """Ask for an operation; asking twice for the same turn asks once."""
        token = f"turn-{turn}"
        undoing = RollbackRequest(name=name, token=token, force=do == "force")
        request = StackRequest(
            name=name,
            template=json.dumps({"Resources": resources}),
            token=token,
            capabilities=("CAPABILITY_AUTO_EXPAND",),
            options=OperationOptions(keep_on_failure=do.endswith(" keeping")),
        )
        match do.removesuffix(" keeping"):
            case "create":
                self.engine.create_stack(HERE, request)
            case "update":
                self.engine.update_stack(HERE, request)
            case "delete":
                delete_stack(self.engine, HERE, DeleteRequest(name=name, token=token))
            case "roll back":
                Recovery(self.engine).roll_back(HERE, undoing)
            case "continue" | "force":
                Recovery(self.engine).continue_update_rollback(HERE, undoing)

    def stick(self, color):
        """From now on no thing can be changed to this colour."""
        self.journal.with_name("journal.stuck").write_text(color)

    def stack(self, name=STACK):
        """The newest stack of the name."""
        newest = text("SELECT id FROM engine_stack WHERE name = :name ORDER BY created DESC LIMIT 1")
        with self.database.read() as connection:
            found = connection.execute(newest, {"name": name}).scalar()
            return None if found is None else get_stack(connection, found)

    def rest(self, name=STACK):
        """The stack once nothing is done to it any more."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < end:
            stack = self.stack(name)
            if stack is not None and not stack.status.busy:
                return stack
            time.sleep(0.05)
        raise AssertionError(f"the stack is still {self.stack(name)}")

    def things(self):
        """What the type's own store holds: by id; and how often each token made one."""
        lines = [json.loads(each) for each in self.journal.read_text().splitlines()] if self.journal.exists() else []
        live = {}
        for each in lines:
            if each.get("gone"):
                live.pop(each["id"], None)
            else:
                live[each["id"]] = each["model"]
        return live, Counter(each["token"] for each in lines if "token" in each)

    def simulated(self):
        """How many simulated resources there are of each type."""
        with self.database.read() as connection:
            rows = connection.execute(text("SELECT type, count(*) AS number FROM engine_simulated GROUP BY type"))
            return Counter({row.type: row.number for row in rows})

    def complaints(self, *wanted):
        """What is wrong with stacks at rest: of each (stack, status, what stands of it); nothing else may be there.

        Of a stack of which nobody can tell what stands (None) just the status and the events are judged.
        """
        found = []
        things, others = Counter(), Counter()
        ids = set()
        for stack, status, stands in wanted:
            if str(stack.status) != status:
                found.append(f"{stack.name} is {stack.status} ({stack.reason}), not {status}")
            found += self.told_twice(stack)
            if stands is None:
                return found
            for sum_, each in zip((things, others), expected(stands), strict=True):
                sum_.update(each)
            resources = self.engine.lookups.list_resources(HERE, stack.arn) if stack.deleted is None and stands else {}
            ids |= {each.physical_id for each in resources.values() if each.type == THING}
        live, made = self.things()
        there = Counter((each["Name"], each["Color"]) for each in live.values())
        found += [f"leaked: {each}" for each in (there - things).elements()]
        found += [f"missing: {each}" for each in (things - there).elements()]
        found += [f"made twice: {token}" for token, number in made.items() if number > 1]
        if self.simulated() != others:
            found.append(f"simulated are {self.simulated()}, not {others}")
        if ids != set(live):
            found.append(f"the stacks have {ids}, the store {set(live)}")
        return found

    def told_twice(self, stack):
        """Events of a stack that say the same about the same."""
        with self.database.read() as connection:
            events = [each for _, each in list_events(connection, stack.id, limit=100_000)]
        told = Counter(
            (e.operation_id, e.id.split("/")[1], e.logical_id, e.status, e.reason, e.physical_id, e.details.hook_status)
            for e in events
        )
        times = [each.time for each in events]
        late = [] if times == sorted(set(times), reverse=True) else [f"events of {stack.name} share their times"]
        return [*late, *(f"told twice: {each}" for each, number in told.items() if number > 1)]


def handler_processes():
    """The processes of handlers that this one has started."""
    found = []
    for each in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if each.name.isdigit() and f"PPid:\t{os.getpid()}\n" in (each / "status").read_text():
                command = (each / "cmdline").read_bytes()
                if b"bootstrap" in command:
                    found.append(int(each.name))
    return sorted(found)


def _kill_later(seconds, pids):
    def kill():
        for each in pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    timer = threading.Timer(seconds, kill)
    timer.daemon = True
    timer.start()


def live(folder, story, size, turn, die, report):  # noqa: PLR0917 - what the process is told
    """Finish the turn before `turn` of a story and judge it; then begin this one and die in it.

    `die` is ["at", checkpoint, how-manieth time], or ["after", seconds, seconds until a handler is killed or null];
    null lives on. Complaints go to the file `report`, and how long the turn before it took.
    """
    name, count = (die[1], die[2]) if die and die[0] == "at" else (None, 0)
    passed = Counter()
    armed = threading.Event()

    def checkpoint(reached):
        if armed.is_set():
            passed[reached] += 1
            if reached == name and passed[reached] == count:
                os.kill(os.getpid(), signal.SIGKILL)

    turns = STORIES[story](size)
    with World(folder, checkpoint=checkpoint) as world:
        found = []
        if turn == 0:
            world.register()
        else:
            last = turns[(turn - 1) % len(turns)]
            world.begin(last.do, last.resources, turn - 1)
            found = world.complaints((world.rest(), last.status, last.stands))
        Path(report).write_text(json.dumps(found))
        if die is None:
            return
        if die[0] == "after":
            _kill_later(die[1], lambda: [os.getpid()])
            if die[2] is not None:
                _kill_later(die[2], lambda: handler_processes()[:1])
        now = turns[turn % len(turns)]
        world.stick(now.stuck)
        armed.set()
        world.begin(now.do, now.resources, turn)
        world.rest()
        if die[0] == "after":
            time.sleep(60)
        Path(report).write_text(json.dumps([*found, f"did not die {die}: passed {sorted(passed)}"]))


def child(*arguments):
    """`live` in a process of a forkserver."""
    try:
        live(*arguments)
    except BaseException as error:
        Path(arguments[-1]).write_text(json.dumps([f"{type(error).__name__}: {error}"]))
        sys.stderr.flush()
        raise


def work_for_ever(folder, url, started):
    """A worker; `started` is an event of another process."""
    with World(folder, url, dead_seconds=2.0) as _world:
        started.set()
        time.sleep(3600)
