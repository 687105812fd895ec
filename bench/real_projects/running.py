"""One command with a time limit, ended with all that it started."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_KEPT = 20_000  # characters of what a command said


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended: its exit code, None where time ran out."""

    code: int | None
    seconds: float
    text: str


def run(argv: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], seconds: float, log: Path) -> Ran:
    """Run `argv` for at most `seconds`; what it says goes to `log` too."""
    log.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with log.open("ab") as sink:
        sink.write(f"$ {' '.join(map(str, argv))}\n".encode())
        sink.flush()
        start = sink.tell()
        process = subprocess.Popen(
            [*map(str, argv)],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: os.nice(7),  # noqa: PLW1509 - this process has one thread
        )
        try:
            code: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    text = log.read_bytes()[start:].decode(errors="replace")
    return Ran(code, round(time.monotonic() - began, 1), text[-_KEPT:])
