"""Running handlers as Lambda does, with processes of our own; the incumbent needs Docker and SAM for it."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.measure import EMPTY, measure
from bench.table import Row
from formwork.invoke.endpoint import LambdaEndpointTransport
from formwork.invoke.local import LocalLambdaTransport
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.pool import HostSettings
from formwork.languages.python.launch import python_launch

COLD_RUNS = 9
WARM_CALLS = 500
EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "initech-tps-report"
INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable))


def main() -> Iterator[Row]:
    """Cold starts, warm calls, and how soon `cfn serve` answers."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "main.py").write_text("def handler(event, context):\n    return event\n", encoding="utf-8")
        floor = measure(EMPTY).wall
        yield Row("cold start of an echo, process start to answer", "ms", _cold(root) * 1000, limit=250, floor=floor)
        echo = _echo() * 1e6
        yield from _warm_rows(root, echo, freeze=True)
        yield from _warm_rows(root, echo, freeze=False)
    yield Row("cfn serve, start to ready", "ms", _ready() * 1000, limit=1000, floor=floor)


def _warm_rows(root: Path, floor: float, *, freeze: bool) -> Iterator[Row]:
    note = "" if freeze else "without freezing between calls"
    with LambdaHost([_function(root)], settings=HostSettings(freeze=freeze)) as host:
        local = LocalLambdaTransport(host, "F")
        yield Row(
            "warm call, in process to the service", "µs", _warm(lambda: local.invoke({})) * 1e6, note=note, floor=floor
        )
        remote = LambdaEndpointTransport(host.serve(port=0), "F")
        yield Row("warm call, over HTTP", "µs", _warm(lambda: remote.invoke({})) * 1e6, note=note, floor=floor)
        remote.close()


def _function(root: Path) -> LambdaFunction:
    launch = python_launch(INTERPRETER, task_root=root, bytecode=root / "bytecode")
    return LambdaFunction("F", "main.handler", "python3.11", root, lambda: launch, timeout=30, memory_mb=256)


def _cold(root: Path) -> float:
    """Seconds, the median."""
    times = []
    for _ in range(COLD_RUNS):
        with LambdaHost([_function(root)]) as host:
            start = time.perf_counter()
            host.invoke("F", b"{}")
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def _warm(call: Callable[[], object]) -> float:
    """Seconds, the median."""
    call()
    times = []
    for _ in range(WARM_CALLS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _echo() -> float:
    """Seconds in which a line goes to a process and back through pipes, the median."""
    words = [INTERPRETER, "-I", "-c", "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sent, answered = process.stdin, process.stdout

        def call() -> None:
            sent.write(b"{}\n")
            sent.flush()
            answered.readline()

        return _warm(call)


def _ready() -> float:
    """Seconds, the median."""
    command = [Path(sys.executable).with_name("cfn"), "serve", "--port", "0"]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        with subprocess.Popen(command, cwd=EXAMPLE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            process.stdout.readline()
            times.append(time.perf_counter() - start)
            process.terminate()
    return statistics.median(times)
