"""Locks on files that end with the process that holds them, however it ends."""

import sys
from typing import IO, Any


def try_lock(file: IO[Any]) -> bool:
    """Take the exclusive lock of an open file without waiting; False where another open file has it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - Windows only

            file.seek(1 << 30)  # beyond the content, which others may read
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - not on Windows

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
