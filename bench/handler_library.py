"""What the handler library costs a handler: a cold import, and one invocation in process."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.incumbent import get_incumbent
from bench.measure import Command, compare
from bench.table import Row

IMPORT = "import cloudformation_cli_python_lib"
# A stub's whole import line: our package is lazy, so that the bare import alone would flatter us.
NAMES = (
    "from cloudformation_cli_python_lib import Action, HandlerErrorCode, OperationStatus, ProgressEvent, "
    "Resource, SessionProxy, exceptions, identifier_utils"
)
PROBE = Path(__file__).with_name("probes") / "invocation.py"


def main() -> Iterator[Row]:
    """Measure both libraries, each in its own environment."""
    incumbent = get_incumbent()
    pythons = [Path(sys.executable)] + ([incumbent.python] if incumbent else [])
    for name, code, target in (("cold import", IMPORT, 6.0), ("cold import of a stub's names", NAMES, 6.0)):
        empty = compare([Command([python, "-c", "pass"]) for python in pythons], runs=15)
        loaded = compare([Command([python, "-c", code]) for python in pythons], runs=15)
        costs = [full.wall - none.wall for full, none in zip(loaded, empty, strict=True)]
        yield Row(f"{name}, above `python -c pass`", "ms", *costs[:2], target=target)
    for shape, target in (("production", 20.0), ("no-credentials", None), ("client", 5.0)):
        rounds = [[_invoke(python, shape) for python in pythons] for _ in range(3)]
        costs = [sorted(each[side] for each in rounds)[1] for side in range(len(pythons))]
        yield Row(f"one invocation, {shape}", "µs", *costs[:2], target=target)


def _invoke(python: Path, shape: str) -> float:
    """Microseconds per invocation, as the probe measures them in that interpreter."""
    done = subprocess.run([python, PROBE, shape], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{PROBE.name} failed under {python}:\n{done.stderr[-2000:]}")
    return float(done.stdout)
