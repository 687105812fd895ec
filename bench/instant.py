"""A stack engine whose handlers answer at once, so that what is measured is the engine."""

import contextlib
import json
import resource
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from formwork.aws.scope import Scope
from formwork.documents import parse_document
from formwork.durable import Database, open_database
from formwork.durable.workflows import Workflows
from formwork.engine.engine import Engine
from formwork.engine.planning.requests import StackRequest
from formwork.engine.settings import EngineSettings
from formwork.hooks import ActiveHook, HookPassed
from formwork.hooks.settings import read_hook_settings
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Outcome, Succeeded
from formwork.schema import ResourceSchema, load_resource_schema
from formwork.stacks.statuses import StackStatus

HERE = Scope("111122223333", "eu-west-1")
THING = "Acme::Web::Thing"
_TEXTS = {name: {"type": "string"} for name in ("Id", "Arn", "Name", "Color", "Of")}
SCHEMA = {
    "typeName": THING,
    "description": "A thing.",
    "additionalProperties": False,
    "properties": {**_TEXTS, "Size": {"type": "integer"}},
    "primaryIdentifier": ["/properties/Id"],
    "readOnlyProperties": ["/properties/Id", "/properties/Arn"],
    "createOnlyProperties": ["/properties/Name"],
    "tagging": {"taggable": False},
    "handlers": {each: {"permissions": ["a:B"]} for each in ("create", "read", "update", "delete", "list")},
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall time and of this process's CPU time."""

    wall: float
    cpu: float


class Instant:
    """Handlers that answer at once."""

    version = None
    note = None

    def __init__(self, schema: ResourceSchema) -> None:
        self.schema = schema
        self._lock = threading.Lock()
        self._number = 0

    def invoke(self, call: HandlerCall) -> Outcome:
        """A model with an identifier."""
        if call.action == "DELETE":
            return Succeeded(None)
        model = dict(call.desired or {})
        with self._lock:
            self._number += 1
            model.setdefault("Id", f"thing-{self._number:08d}")
        model.setdefault("Arn", "arn:thing:000001")
        return Succeeded(model)


class _Types:
    """One type, whose handlers answer at once."""

    def __init__(self) -> None:
        loaded = load_resource_schema(parse_document(json.dumps(SCHEMA), name="thing.json"))
        assert loaded.schema is not None, loaded.diagnostics
        self._provisioner = Instant(loaded.schema)

    def find(self, _scope: Scope, type_name: str, _version: str | None = None) -> Instant | None:
        """The type's handlers."""
        return self._provisioner if type_name == THING else None

    def find_module(self, _scope: Scope, _type_name: str) -> None:
        """None: there are no modules."""

    def explain(self, _scope: Scope, _type_name: str) -> None:
        """None: there is nothing to say about other types."""


class _Hooks:
    """A hook for everything, which passes it at once; or none."""

    def __init__(self, *, hooked: bool) -> None:
        settings = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}
        hook = ActiveHook(
            type_name="Acme::Web::Guard",
            type_arn="arn:aws:cloudformation:eu-west-1:111122223333:type/hook/Acme-Web-Guard",
            version="00000001",
            configuration_version="1",
            settings=read_hook_settings({"CloudFormationConfiguration": {"HookConfiguration": settings}}),
            targets=dict.fromkeys(("CREATE", "UPDATE", "DELETE"), ("*",)),
            open_session=None,
            evaluate=lambda _call: HookPassed("fine"),
        )
        self._hooks = (hook,) if hooked else ()

    def active(self, _scope: Scope) -> tuple[ActiveHook, ...]:
        """The hook."""
        return self._hooks


class InstantEngine:
    """An engine, and what a bench asks of it."""

    def __init__(self, database: Database, work: Workflows, *, hooked: bool) -> None:
        settings = EngineSettings(types=_Types(), hooks=_Hooks(hooked=hooked))
        self.engine = Engine(database, work, settings)

    def request(self, body: str, name: str) -> StackRequest:
        """A request for a stack of a template."""
        return StackRequest(name=name, template=body)

    def create(self, body: str, name: str) -> None:
        """Begin to create a stack."""
        self.engine.create_stack(HERE, self.request(body, name))

    def update(self, body: str, name: str) -> None:
        """Begin to update a stack."""
        self.engine.update_stack(HERE, self.request(body, name))

    def status(self, name: str) -> StackStatus:
        """The status of a stack."""
        return self.engine.lookups.describe_stack(HERE, name).status


@contextlib.contextmanager
def instant_engine(*, hooked: bool = False) -> Iterator[InstantEngine]:
    """An engine on SQLite in a folder of its own; with a hook that looks at everything, and passes it."""
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        database = open_database(Path(folder) / "state")
        database.migrate()
        with Workflows(database) as work:
            bench = InstantEngine(database, work, hooked=hooked)
            work.launch()
            bench.engine.resume()
            warm(bench)
            yield bench
        database.close()


def commits_floor(count: int) -> float:
    """Return the CPU seconds of three bare transactions of SQLite for each of `count` resources.

    They write what a resource's do: a step and an event, and twice also the resource, 1 KB each.
    """
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        connection = sqlite3.connect(Path(folder) / "floor.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE written (id INTEGER PRIMARY KEY, content TEXT)")
        content = "x" * 1000
        with timed() as cost:
            for _ in range(count):
                for rows in (2, 3, 3):
                    connection.execute("BEGIN IMMEDIATE")
                    for _ in range(rows):
                        connection.execute("INSERT INTO written (content) VALUES (?)", (content,))
                    connection.execute("COMMIT")
        connection.close()
    return cost[0].cpu


def warm(bench: InstantEngine) -> None:
    """Once through everything that is imported or compiled on its first use."""
    bench.create(template(5), name="warm")
    wait(bench, "warm")


def template(size: int, color: str = "red", *, chain: bool = False) -> str:
    """A template of `size` things; every tenth refers to another, in a `chain` each to the one before."""
    resources: dict[str, Any] = {}
    for number in range(size):
        properties: dict[str, Any] = {"Name": f"n{number}", "Color": color}
        if number and (chain or number % 10 == 9):
            properties["Of"] = {"Ref": f"R{number - 1 if chain else number // 2}"}
        resources[f"R{number}"] = {"Type": THING, "Properties": properties}
    return json.dumps({"Resources": resources})


def wait(bench: InstantEngine, *names: str) -> None:
    """Wait until the stacks are in a terminal state; poll rarely, as polling costs time, too."""
    for name in names:
        while (status := bench.status(name)).busy:
            time.sleep(0.05)
        assert status.endswith("_COMPLETE"), status


@contextlib.contextmanager
def timed() -> Iterator[list[Cost]]:
    """What the block costs, in the list once it has ended."""
    found: list[Cost] = []
    wall, cpu = time.perf_counter(), time.process_time()
    yield found
    found.append(Cost(time.perf_counter() - wall, time.process_time() - cpu))


def resident() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
