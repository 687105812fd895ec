"""Run the benches named, or all, and print their tables; the exit code is 1 where a promise is not kept."""

import argparse
import multiprocessing
import pkgutil
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.running import run_bench
from bench.table import Row, render_table

FRAME = {
    *(
        "__main__",
        "corpora",
        "incumbent",
        "installed",
        "instant",
        "language_server",
        "measure",
        "plot",
        "postgresql",
        "real_projects",
        "running",
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
    if unknown := [name for name in names if name not in known]:
        parser.error(f"no bench named {', '.join(unknown)}; there are {', '.join(known)}")
    rows: list[Row] = []
    wrong: list[str] = []
    for name in names:
        # In a process of its own: the peak memory of what it starts counts what it holds itself.
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            found, lines = process.submit(run_bench, name, in_small=arguments.small).result()
        rows += found
        wrong += lines
    if len(names) > 1:
        print("\nAll that is promised, or has a floor")
        print(render_table(row for row in rows if row.met is not None or row.floor is not None), flush=True)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if [line for line in wrong if not arguments.small or line.startswith("failed")] else 0


if __name__ == "__main__":
    sys.exit(main())
