"""A stack engine whose handlers answer at once, so that what is measured is the engine."""

import contextlib
import json
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.incumbent import REPOSITORY
from formwork.durable import open_database
from formwork.durable.workflows import Workflows
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Outcome, Succeeded
from formwork.schema import ResourceSchema

sys.path.insert(0, str(REPOSITORY / "tests"))

from support.engines import Bench, Guard, RealTime, thing_schema

THING = "Acme::Web::Thing"


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


@contextlib.contextmanager
def instant_engine(*, hooked: bool = False) -> Iterator[Bench]:
    """An engine on SQLite in a folder of its own; with a hook that looks at everything, and passes it."""
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        database = open_database(Path(folder) / "state")
        database.migrate()
        with Workflows(database) as work:
            bench = Bench(database, work=work, clock=RealTime, hooks=[Guard()] if hooked else [])
            bench.table.by_name = {THING: Instant(thing_schema())}
            work.launch()
            bench.engine.resume()
            warm(bench)
            yield bench
        database.close()


def warm(bench: Bench) -> None:
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


def wait(bench: Bench, *names: str) -> None:
    """Wait until the stacks are in a terminal state; poll rarely, as polling costs time, too."""
    for name in names:
        while (status := bench.stack(name).status).busy:
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
