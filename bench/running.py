"""One bench from its import to its table."""

import gc
import importlib
import time

from bench import small
from bench.table import Row, render_table
from formwork.cli.entry import OBJECTS_BETWEEN_COLLECTIONS


def run_bench(name: str, *, in_small: bool) -> tuple[list[Row], list[str]]:
    """Print the bench's table; return its rows, and one line per missed promise or error."""
    small.SMALL = in_small
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)  # as `cfn` has it, for what is measured in this process
    bench = importlib.import_module(f"bench.{name}")
    title = (bench.__doc__ or name).strip().splitlines()[0]
    start = time.perf_counter()
    try:
        rows = list(bench.main())
    except RuntimeError as error:  # a measured process that fails must not take the other benches with it
        return [], [f"failed: {name}: {error}"]
    print(f"\n{title}  [{name}, {time.perf_counter() - start:.0f} s]")
    print(render_table(rows), flush=True)
    return rows, [f"missed: {name}: {row.name}" for row in rows if row.met is False]
