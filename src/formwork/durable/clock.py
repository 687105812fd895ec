"""The clock for deadlines of durable work: starts at the machine's time, then counts the time that has passed.

Setting the machine's clock, by an hour or a day, therefore neither delays waiting work nor ends it early. This holds
while a process runs, and from a process that was killed to the next one, unless the machine has been restarted.

The reasons are in docs/decisions/1292.
"""

import contextlib
import json
import math
import sys
import time
from pathlib import Path

from formwork.durable.state_folder import StateFolder


class SteadyClock:
    """Seconds since the epoch that never go backwards, whatever the machine's clock is set to."""

    def __init__(self, latest: float = 0.0, *, start: float | None = None) -> None:
        """Start at `latest`, which an earlier process stored, or later: the machine's clock may have been set back.

        `start` is that of an earlier clock, which this one continues; None starts at the time of the machine's clock.
        """
        elapsed = _elapsed()
        self.start = max(time.time() if start is None else start + elapsed, latest) - elapsed

    def __call__(self) -> float:
        """Return the current time."""
        return self.start + _elapsed()


def open_clock(state: StateFolder | None, *, latest: float, continues: bool) -> SteadyClock:
    """Return the clock of a state folder, and store there what the next process needs to continue it.

    With `continues` it continues the previous process's clock, whatever the machine's clock says now; that is possible
    until the machine is restarted, and on Linux only.
    """
    boot = _boot()
    if state is None or boot is None:
        return SteadyClock(latest)
    clock = SteadyClock(latest, start=_read_start(state.clock, boot) if continues else None)
    with contextlib.suppress(OSError):  # the next process then starts at the machine's time
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
    """Return an identifier of this boot of the machine and of its steady clock; it differs after each restart."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/time').readlink()}"  # containers may have a steady clock of their own
    return None


def _elapsed() -> float:
    """Return seconds since a fixed moment; where the system counts it, time in which it was suspended is included."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)
