"""The whole contract suite on the simulator of each real resource type, in process: CPU seconds a type."""

import os
import statistics
import sys
import time
from collections.abc import Iterator

from bench.incumbent import REPOSITORY
from bench.small import SMALL
from bench.table import Row
from formwork.schema.resource import ResourceSchema
from formwork.schema.validator import compile_validator

sys.path.insert(0, str(REPOSITORY / "tests"))

from support.real_types import accusations, load_type, schema_paths

MOST = 0.5  # CPU seconds for one type
AGAIN = 3  # measured so often where one seems to exceed it: on a busy machine a CPU second holds less


def main() -> Iterator[Row]:
    """The rows of the table; `FORMWORK_BENCH_TYPES` types, spread over all of them, are measured (all by default)."""
    paths = schema_paths()
    step = max(1, len(paths) // int(os.environ.get("FORMWORK_BENCH_TYPES") or (5 if SMALL else len(paths))))
    chosen = [(path, schema) for path in paths[::step] if (schema := load_type(path)) is not None]
    measured = [(_seconds(path), schema.type_name) for path, schema in chosen]
    floor = statistics.mean(_compiling(schema) for _, schema in chosen)
    seconds = [each for each, _ in measured]
    half = len(seconds) // 2
    slowest, name = max(measured)
    note = f"of {len(seconds)} types"
    yield Row("a type, on average", "s", statistics.mean(seconds), limit=MOST / 2, note=note, floor=floor)
    yield Row("the slowest type", "s", slowest, limit=MOST, note=f"{name}; best of {AGAIN} where above {MOST} s")
    growth = statistics.mean(seconds[half:]) / statistics.mean(seconds[:half])
    yield Row("a later type against an earlier one", "", growth, note="the cost does not grow with their number")


def _compiling(schema: ResourceSchema) -> float:
    """CPU seconds in which jsonschema-rs makes the validator of the type's models."""
    started = time.process_time()
    compile_validator(schema.value)
    return time.process_time() - started


def _seconds(path: object) -> float:
    best = float("inf")
    for _ in range(AGAIN):
        schema = load_type(path)
        started = time.process_time()
        accusations(schema, 1)
        best = min(best, time.process_time() - started)
        if best <= MOST:
            break
    return best
