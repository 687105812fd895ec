"""1, 2, 4 and 8 `cfn worker` on one PostgreSQL, with handlers that sleep in processes here, and that work elsewhere."""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.incumbent import REPOSITORY
from bench.plot import Series, svg_plot
from bench.postgresql import PostgresqlServer, find_programs, postgresql_server
from bench.served import Served, await_stack, cpu_seconds, serving, working, write_project
from bench.small import SMALL
from bench.table import Row

WORKERS = (1, 2) if SMALL else (1, 2, 4, 8)
STACKS = 2 if SMALL else 32
RESOURCES = 3 if SMALL else 10
SECONDS = 0.5 if SMALL else 2.0  # that each handler sleeps
PICTURE = REPOSITORY / "docs" / "explanation" / "pictures" / "workers.svg"
THING = "Bench::Sleep::Thing"
CREATE = f"""
time.sleep({SECONDS})
return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=model)
"""


@dataclass(frozen=True, slots=True)
class Load:
    """What so many workers took for all stacks: seconds, CPU of workers and of PostgreSQL, transactions."""

    wall: float
    workers: float
    database: float
    transactions: int

    @property
    def note(self) -> str:
        """The figures that name the limit."""
        made = STACKS * RESOURCES
        return (
            f"{made / self.wall:.1f} resources/s, {self.transactions / made:.0f} transactions a resource,"
            f" {self.transactions / self.wall:.0f}/s; CPU of a core: workers {self.workers / self.wall:.2f},"
            f" PostgreSQL {self.database / self.wall:.2f}"
        )


def by_workers() -> Iterator[Row]:
    """Nothing where no PostgreSQL is installed."""
    if (programs := find_programs()) is None:
        return
    found: dict[str, dict[int, Load]] = {}
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as name, remote_handlers() as remote:
        folder = Path(name)
        with postgresql_server(programs) as server, serving(folder, "--database", server.url, "--no-work") as served:
            with working(folder, server.url, 1):  # the server leaves registrations to workers, too
                register(served, folder / "thing")
            kinds: dict[str, dict[str, Any]] = {
                "sleeping": {"Type": THING},
                "remote": {"Type": "Custom::Remote", "Properties": {"ServiceToken": remote}},
            }
            for number in WORKERS:
                with working(folder, server.url, number) as pids:
                    for kind, resource in kinds.items():
                        make = _stacks(served, resource)
                        make(f"warm-{kind}-{number}", 2 * number)
                        load = measured(server, pids, lambda make=make, run=f"{kind}-{number}": make(run, STACKS))
                        found.setdefault(kind, {})[number] = load
    yield from _rows(found)
    if not SMALL:
        _draw(found)


def _rows(found: dict[str, dict[int, Load]]) -> Iterator[Row]:
    for kind, loads in found.items():
        for number, load in loads.items():
            words = f"{STACKS} stacks of {RESOURCES}, {kind} handlers of {SECONDS:g} s, {number} workers"
            yield Row(words, "s", load.wall, None if number == 1 else loads[1].wall, note=load.note)


def _draw(found: dict[str, dict[int, Load]]) -> None:
    made = STACKS * RESOURCES
    series = [
        Series(f"{kind} handlers", [(number, made / load.wall) for number, load in loads.items()])
        for kind, loads in found.items()
    ]
    most = max(points[0][1] for points in (each.points for each in series))
    series.append(Series("in proportion", [(number, number * most) for number in WORKERS], dashed=True))
    svg_plot(
        series,
        PICTURE,
        title=f"Resources a second, with handlers that take {SECONDS:g} s",
        x="workers on one PostgreSQL",
        y="resources a second",
    )


def measured(server: PostgresqlServer, pids: list[int], work: Callable[[], None]) -> Load:
    """Run `work`; what it cost."""
    before = server.transactions(), server.cpu_seconds(), sum(map(cpu_seconds, pids))
    start = time.perf_counter()
    work()
    wall = time.perf_counter() - start
    time.sleep(1.5)  # backends of PostgreSQL report their transactions once a second
    after = server.transactions(), server.cpu_seconds(), sum(map(cpu_seconds, pids))
    return Load(wall, after[2] - before[2], after[1] - before[1], after[0] - before[0])


def _stacks(served: Served, resource: dict[str, Any]) -> Callable[[str, int], None]:
    body = json.dumps({"Resources": {f"R{each}": resource for each in range(RESOURCES)}})

    def make(prefix: str, count: int) -> None:
        client = served.client("cloudformation")
        names = [f"{prefix}-{each}" for each in range(count)]
        for name in names:
            client.create_stack(StackName=name, TemplateBody=body)
        for name in names:
            await_stack(client, name, every=0.2)

    return make


def register(served: Served, project: Path) -> None:
    """Write a project whose create handler sleeps, and register it."""
    write_project(project, THING, CREATE)
    served.run("submit", "--no-role", cwd=project)


@contextlib.contextmanager
def remote_handlers() -> Iterator[str]:
    """The URL of handlers of custom resources that work in a process of their own."""
    command = [sys.executable, str(Path(__file__).with_name("probes") / "remote_handlers.py"), str(SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield (process.stdout.readline() if process.stdout is not None else "").strip()
        finally:
            process.kill()
