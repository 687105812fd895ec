"""The time by which work is due: the clock's when work begins, and from then on what has really passed.

A user who sets the clock of the machine, by an hour or a day, neither holds up what waits nor ends it early: while a
process runs, and also between one that was killed and the next one, as long as the machine has not been restarted.
"""

import contextlib
import json
import math
import sys
import time
from pathlib import Path

from formwork.durable.state_folder import StateFolder


class SteadyClock:
    """Seconds since the epoch that only ever go forward, at the pace of real time."""

    def __init__(self, latest: float = 0.0, *, start: float | None = None) -> None:
        """Never before `latest`, which an earlier process has written: the clock may have been set back since.

        `start` is that of an earlier clock, which this one continues; None takes the time of the machine's clock.
        """
        elapsed = _elapsed()
        self.start = max(time.time() if start is None else start + elapsed, latest) - elapsed

    def __call__(self) -> float:
        """The time of now."""
        return self.start + _elapsed()


def open_clock(state: StateFolder | None, *, latest: float, continues: bool) -> SteadyClock:
    """The clock of a state folder, which notes there how the next process can continue it.

    With `continues` it goes on as the last one did, whatever the machine's clock says now; that is possible until the
    machine is restarted, and on Linux only.
    """
    boot = _boot()
    if state is None or boot is None:
        return SteadyClock(latest)
    clock = SteadyClock(latest, start=_read_start(state.clock, boot) if continues else None)
    with contextlib.suppress(OSError):  # then the next process takes the machine's time
        state.write_file(state.clock, json.dumps({"boot": boot, "start": clock.start}).encode())
    return clock


def _read_start(path: Path, boot: str) -> float | None:
    with contextlib.suppress(OSError, ValueError):
        noted = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(noted, dict) and noted.get("boot") == boot:
            start = noted.get("start")
            return start if isinstance(start, float) and math.isfinite(start) else None
    return None


def _boot() -> str | None:
    """What is another text after each restart of the machine, and where the steady clock began elsewhere."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/time').readlink()}"  # containers may have a steady clock of their own
    return None


def _elapsed() -> float:
    """Seconds since some moment; those in which the machine was suspended count too, where that can be told."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)
