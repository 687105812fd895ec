"""Kills what handler processes leave behind; also a program of its own that does so when its parent is gone.

As a program (`python -I -S reaper.py`) it reads `+GROUP MARK` and `-GROUP MARK` lines; when its standard input ends,
since the local Lambda service ended in whatever way (a `kill -9` too), it kills every group and mark still on its list.
POSIX only; standard library only, and nothing of Formwork, since it runs with an isolated interpreter.
"""

import contextlib
import os
import signal
import sys
import time

# The environment variable by which descendants of a handler process are recognised, wherever they moved.
MARK_VARIABLE = "FORMWORK_SANDBOX"


def kill_group(group: int) -> None:
    """Kill every process of the process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_all_marked(mark: str) -> None:
    """Kill every process whose environment carries the mark, and wait (half a second at most) until they are gone.

    These are processes that have left the group, as daemons do; they are found on Linux only.
    """
    for _ in range(100):
        if not _kill_marked(mark):
            return
        time.sleep(0.005)


def _kill_marked(mark: str) -> int:
    """Return how many there were."""
    wanted = f"{MARK_VARIABLE}={mark}".encode()
    killed = 0
    for pid in _pids():
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                marked = wanted in file.read().split(b"\0")
        except OSError:
            continue  # gone, or not ours
        if marked and pid != os.getpid():
            killed += 1
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
    return killed


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []


def _main() -> None:
    alive = set()
    for line in sys.stdin:
        entry = tuple(line[1:].split())
        if line.startswith("+"):
            alive.add(entry)
        else:
            alive.discard(entry)
    for group, mark in alive:
        kill_group(int(group))
        kill_all_marked(mark)


if __name__ == "__main__":
    _main()
