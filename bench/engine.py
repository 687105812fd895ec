"""The stack engine: a resource with instant handlers, large plans, many stacks, workers, and moto beside it."""

import os
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from bench.incumbent import REPOSITORY
from bench.instant import HERE, Cost, InstantEngine, commits_floor, instant_engine, resident, template, timed, wait
from bench.plot import Series, svg_plot
from bench.small import SMALL
from bench.table import Row
from formwork.engine.change_sets import ChangeSets, NewChangeSet
from formwork.stacks.store.records import ChangeSetRequest

SIZES = (5, 10) if SMALL else (50, 100, 250, 500)
LARGE = 20 if SMALL else 500
CHAIN = 10 if SMALL else 150
STACKS = 3 if SMALL else 50
OF_EACH = int(
    os.environ.get("FORMWORK_BENCH_OF_EACH", "5" if SMALL else "20")
)  # resources of each of the stacks at once
PICTURES = REPOSITORY / "docs" / "explanation" / "pictures"


def main() -> Iterator[Row]:
    """Plans, costs by size, many stacks, a chain, pages of events; then workers on PostgreSQL, and moto."""
    yield from plans()
    plain = list(costs(hooked=False))
    hooked = list(costs(hooked=True))
    yield from _rows(plain, "instant handlers", 3)
    yield from _rows(hooked, "instant handlers and a hook", 5)
    if not SMALL:
        _draw(plain, hooked)
    yield from many_stacks()
    yield from chain()
    from bench.stack_peers import beside_moto
    from bench.stack_workers import by_workers

    yield from by_workers()
    yield from beside_moto()


def plans() -> Iterator[Row]:
    """Change sets of a large template, from the template to the changes."""
    with instant_engine() as bench:
        took = []
        for number in range(5):
            request = bench.request(template(LARGE), name=f"planned{number}")
            with timed() as cost:
                found = ChangeSets(bench.engine).create(
                    HERE, NewChangeSet(name="plan", kind="CREATE", stack=request, request=ChangeSetRequest())
                )
                assert len(found.changes(values=False)) == LARGE
            took.append(cost[0].cpu * 1000)
        yield Row(f"{LARGE} resources planned: template to change set, CPU", "ms", statistics.median(took), limit=1000)


def costs(*, hooked: bool) -> Iterator[tuple[int, Cost, Cost]]:
    """Creation and update of a stack of each size: (size, cost of the creation, cost of the update)."""
    for size in SIZES:
        with instant_engine(hooked=hooked) as bench:
            with timed() as created:
                bench.create(template(size), name="shop")
                wait(bench, "shop")
            with timed() as updated:
                bench.update(template(size, "blue"), name="shop")
                wait(bench, "shop")
            yield size, created[0], updated[0]


def _rows(found: list[tuple[int, Cost, Cost]], words: str, limit: float) -> Iterator[Row]:
    floor = 1000 * commits_floor(SIZES[-1]) / SIZES[-1]
    for size, created, _ in found:
        name, note = f"a resource of {size} made, {words}, CPU", f"wall {1000 * created.wall / size:.1f} ms"
        yield Row(name, "ms", 1000 * created.cpu / size, limit=limit, note=note, floor=floor)
    size, _, updated = found[-1]
    yield Row(f"a resource of {size} updated, {words}, CPU", "ms", 1000 * updated.cpu / size, limit=limit)
    first, last = (1000 * each[1].cpu / each[0] for each in (found[0], found[-1]))
    yield Row(f"a resource of {SIZES[-1]} beside one of {SIZES[0]}, {words}", "times", last / first, limit=1.5)


def _draw(plain: list[tuple[int, Cost, Cost]], hooked: list[tuple[int, Cost, Cost]]) -> None:
    def line(found: list[tuple[int, Cost, Cost]], which: int) -> list[tuple[float, float]]:
        return [(each[0], each[which].cpu) for each in found]

    series = [
        Series("made, with a hook", line(hooked, 1)),
        Series("made", line(plain, 1)),
        Series("updated", line(plain, 2)),
    ]
    svg_plot(
        series,
        PICTURES / "stack-size.svg",
        title="CPU time of an operation, by the size of the stack",
        x="resources",
        y="seconds of CPU",
    )


def many_stacks() -> Iterator[Row]:
    """Stacks at once, what they cost, how much memory they need, and their events in pages."""
    with instant_engine() as bench:
        before = resident()
        names = [f"shop{number}" for number in range(STACKS)]
        with timed() as cost:
            for name in names:
                bench.create(template(OF_EACH), name=name)
            wait(bench, *names)
        number = STACKS * OF_EACH
        note = f"wall {cost[0].wall:.1f} s, {cost[0].cpu:.1f} s of CPU"
        words = f"{STACKS} stacks of {OF_EACH} at once"
        yield Row(f"{words}: a resource, CPU", "ms", 1000 * cost[0].cpu / number, limit=5, note=note)
        yield Row(f"{words}: memory", "MB", resident() - before, limit=200)
        bench.create(template(LARGE), name="large")
        wait(bench, "large")
        took, seen, last = [], 0, None
        while page := _page(bench, "large", last, took):
            seen += len(page)
            last = page[-1][0]
        assert seen > 3 * LARGE, seen
        middle = 1000 * statistics.median(took)
        yield Row(f"a page of {seen} events, the middle one, CPU", "ms", middle, limit=50)
        yield Row("the last page beside the first", "times", took[-2] / took[0], limit=3)


def _page(bench: InstantEngine, name: str, before: int | None, took: list[float]) -> list[tuple[int, object]]:
    start = time.thread_time()
    page = bench.engine.lookups.list_events(HERE, name, before=before)
    took.append(time.thread_time() - start)
    return list(page)


def chain() -> Iterator[Row]:
    """Updates of which each waits for the one before."""
    with instant_engine() as bench:
        bench.create(template(CHAIN, chain=True), name="chain")
        wait(bench, "chain")
        with timed() as cost:
            bench.update(template(CHAIN, "blue", chain=True), name="chain")
            wait(bench, "chain")
        note = f"wall {1000 * cost[0].wall / CHAIN:.1f} ms"
        yield Row(
            f"a resource in a chain of {CHAIN}, updated, CPU", "ms", 1000 * cost[0].cpu / CHAIN, limit=5, note=note
        )


def today() -> str:
    """The date and the machine, for pages that hold figures."""
    load = os.getloadavg()[0]
    return f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, load average {load:.1f} when it began"
