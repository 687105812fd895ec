"""Run the benches named, or all, and print their tables; the exit code is 1 where a promise is not kept."""

import argparse
import importlib
import pkgutil
import sys
import time
from pathlib import Path
from types import ModuleType

from bench import small
from bench.table import Row, render_table

FRAME = {
    *(
        "__main__",
        "incumbent",
        "instant",
        "measure",
        "plot",
        "postgresql",
        "real_projects",
        "served",
        "small",
        "smithy_reference",
        "stack_peers",
        "stack_workers",
        "table",
    ),
}


def main() -> int:
    """Run the benches that the command line names."""
    known = [each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)]) if each.name not in FRAME]
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; all where none is named")
    parser.add_argument("--small", action="store_true", help="run them in small: only what is broken fails")
    arguments = parser.parse_args()
    names = arguments.names or known
    if arguments.small:
        small.SMALL = True
    if unknown := [name for name in names if name not in known]:
        parser.error(f"no bench named {', '.join(unknown)}; there are {', '.join(known)}")
    rows: list[Row] = []
    wrong = [line for name in names for line in _run(importlib.import_module(f"bench.{name}"), rows)]
    if len(names) > 1:
        print("\nAll that is promised, or has a floor")
        print(render_table(row for row in rows if row.met is not None or row.floor is not None), flush=True)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if [line for line in wrong if not arguments.small or line.startswith("failed")] else 0


def _run(bench: ModuleType, all_rows: list[Row]) -> list[str]:
    """Print the bench's table, and add its rows to all; return one line per missed promise or error."""
    name = bench.__name__.removeprefix("bench.")
    title = (bench.__doc__ or name).strip().splitlines()[0]
    start = time.perf_counter()
    try:
        rows = list(bench.main())
    except RuntimeError as error:  # a measured process that fails must not take the other benches with it
        return [f"failed: {name}: {error}"]
    all_rows += rows
    print(f"\n{title}  [{name}, {time.perf_counter() - start:.0f} s]")
    print(render_table(rows), flush=True)
    return [f"missed: {name}: {row.name}" for row in rows if row.met is False]


if __name__ == "__main__":
    sys.exit(main())
