"""One `cfn worker` and four of them on one PostgreSQL database, with the same stacks to make."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.incumbent import REPOSITORY
from bench.small import SMALL
from bench.table import Row

sys.path.insert(0, str(REPOSITORY / "tests"))

STACKS = 2 if SMALL else 12
RESOURCES = 5 if SMALL else 25
RUNS = 1 if SMALL else 2


def by_workers() -> Iterator[Row]:
    """Nothing where no PostgreSQL is installed."""
    from support.postgres import programs, running_server

    if programs() is None:
        return
    with running_server() as make_database, tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        url = make_database()
        took: dict[int, float] = {}
        for run in range(RUNS):
            for number in (1, 4):
                seconds = _make_stacks(Path(folder), url, number, f"run{run}of{number}")
                took[number] = min(seconds, took.get(number, seconds))
    made = STACKS * RESOURCES
    words = f"{STACKS} stacks of {RESOURCES} simulated resources on PostgreSQL"
    note = f"beside 1 worker: {1000 * took[1] / made:.1f} ms a resource"
    # Less would be noise on a machine that does other things too.
    yield Row(f"{words}, 4 workers", "s", took[4], took[1], target=0.9, note=note)


def _make_stacks(folder: Path, url: str, number: int, prefix: str) -> float:
    from formwork.engine.planning.requests import StackRequest
    from support.crash_life import World
    from support.registry import HERE

    kinds = ("AWS::SNS::Topic", "AWS::SQS::Queue", "AWS::S3::Bucket", "AWS::Logs::LogGroup", "AWS::Events::EventBus")
    resources: dict[str, dict[str, object]] = {
        f"R{each}": {"Type": kinds[each % len(kinds)]} for each in range(RESOURCES)
    }
    for each in range(4, RESOURCES, len(kinds)):
        resources[f"R{each}"]["Properties"] = {"Name": {"Fn::Sub": f"${{AWS::StackName}}-{each}"}}
    body = json.dumps({"Resources": resources})
    names = [f"{prefix}-{each}" for each in range(STACKS)]
    with World(folder, url, works=False) as world, _workers(folder, url, number):
        _warm(world, body, number, prefix)
        start = time.perf_counter()
        for name in names:
            world.engine.create_stack(HERE, StackRequest(name=name, template=body))
        for name in names:
            assert world.rest(name).status == "CREATE_COMPLETE"
        return time.perf_counter() - start


def _warm(world: Any, body: str, number: int, prefix: str) -> None:
    """Every worker has made a stack, and with it read what it needs of the types."""
    from formwork.engine.planning.requests import StackRequest
    from support.registry import HERE

    for attempt in range(20):
        names = [f"{prefix}-warm{attempt}-{each}" for each in range(number)]
        for name in names:
            world.engine.create_stack(HERE, StackRequest(name=name, template=body))
            time.sleep(0.1)
        for name in names:
            world.rest(name)
        with world.database.read() as connection:
            pattern = f"{prefix}-warm%"
            owners = "SELECT count(DISTINCT o.owner) FROM engine_operation o JOIN engine_stack s ON s.id = o.stack_id"
            done = connection.exec_driver_sql(f"{owners} WHERE s.name LIKE %s", (pattern,)).scalar()
        if done == number:
            return
    raise RuntimeError("some workers get nothing to do")


@contextlib.contextmanager
def _workers(folder: Path, url: str, number: int) -> Iterator[None]:
    command = [sys.executable, "-m", "formwork.cli.main", "worker", "--database", url, "--state", str(folder)]
    with contextlib.ExitStack() as stack:
        found = []
        for _ in range(number):
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            found.append(process)
        for each in found:
            assert each.stdout is not None
            assert each.stdout.readline().startswith("ready worker ")
        yield
