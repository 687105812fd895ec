"""Wall time, CPU time and peak memory of whole processes, several runs, medians.

Both sides are run in turn (ours, theirs, ours, …), so that a machine that slows down slows both down.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

RUNS = 7


@dataclass(frozen=True, slots=True)
class Command:
    """A process to measure; `env` is laid over this process's environment."""

    argv: Sequence[str | Path]
    cwd: Path | None = None
    env: Mapping[str, str] | None = None
    expect: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians over the runs: wall and CPU in milliseconds, peak resident memory in MB.

    The kernel counts what the process that started it held into the peak: this package stays small for that reason, and
    the floor (some 20 MB) is against us, never for us.
    """

    wall: float
    cpu: float
    memory: float


# What no Python command can do without: an interpreter that does nothing.
EMPTY = Command([sys.executable, "-I", "-c", "pass"])
# An installed command has its bytecode beside it: a machine that forbids that would compile our sources every time.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run_once(command: Command) -> Cost:
    """Run `command` to its end. Raises RuntimeError with its output where it ends otherwise than expected."""
    with (log := _log()).open("wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(
            [os.fspath(part) for part in command.argv],
            cwd=command.cwd,
            env={**ENVIRONMENT, **(command.env or {})},
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != command.expect:
        words = " ".join(map(str, command.argv))
        raise RuntimeError(f"`{words}` ended with {process.returncode}:\n{log.read_text(errors='replace')[-2000:]}")
    # ru_maxrss is in kilobytes on Linux and in bytes on macOS.
    unit = 1_000_000 if sys.platform == "darwin" else 1_000
    return Cost(wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / unit)


def measure(command: Command, *, runs: int = RUNS) -> Cost:
    """The medians of `runs` runs, after one that warms the caches."""
    return compare([command], runs=runs)[0]


def compare(commands: Sequence[Command], *, runs: int = RUNS) -> list[Cost]:
    """The medians of each command, run in turn, after one round that warms the caches."""
    for command in commands:
        run_once(command)
    rounds = [[run_once(command) for command in commands] for _ in range(runs)]
    return [_median([each[index] for each in rounds]) for index in range(len(commands))]


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(each.wall for each in costs),
        statistics.median(each.cpu for each in costs),
        statistics.median(each.memory for each in costs),
    )


def _log() -> Path:
    folder = Path(__file__).resolve().parent.parent / ".bench"
    folder.mkdir(exist_ok=True)
    return folder / "last-run.log"
