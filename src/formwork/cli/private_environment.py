"""Keeping the environment and the memory of a process from the handlers that it starts.

On Linux `/proc/PID/environ` shows the environment that a process was started with to every process of its user and to
root, also what it has removed since. It holds credentials and keys that handlers are not given.

So the variables are copied, the original block is overwritten with zeros, and the process is made non-dumpable.
Starting again without them would start each command twice; a list of names to remove is never complete;
`PR_SET_DUMPABLE` alone does not bind root.
"""

import os
import sys
from pathlib import Path

# By which the processes of a handler are found and killed (formwork.lambda_host.reaper).
_KEPT = b"FORMWORK_SANDBOX="
_PR_SET_DUMPABLE = 4
# Field numbers of proc(5), and the first that comes after the name of the program.
_ENV_START, _ENV_END, _FIRST = 50, 51, 3


def conceal_environment() -> None:
    """Clear what `/proc/PID/environ` shows of this process, and close its memory to other processes of its user.

    The environment itself stays, for this process and those it starts. Debuggers and core dumps need root from now on.
    Nothing happens on other systems than Linux.
    """
    if sys.platform != "linux":
        return
    try:
        import ctypes

        library = ctypes.CDLL(None)
        start, end = _initial_block()
    except (ImportError, OSError, ValueError, IndexError):  # a Python without ctypes, a system without /proc
        return
    for name, value in os.environb.items():
        os.putenv(name, value)  # the C library's pointers lead into the block: they get copies of their own
    for entry in ctypes.string_at(start, end - start).split(b"\0"):
        if not entry.startswith(_KEPT):
            ctypes.memset(start, 0, len(entry))
        start += len(entry) + 1
    library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _initial_block() -> tuple[int, int]:
    """Return where the environment is that the process was started with."""
    fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
    start, end = int(fields[_ENV_START - _FIRST]), int(fields[_ENV_END - _FIRST])
    if not 0 < start <= end:
        raise ValueError("the system does not tell where it is")
    return start, end
