"""Locks on files and folders that end with the process that holds them, however it ends."""

import os
import sys
from pathlib import Path
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


def lock_folder(folder: Path) -> int | None:
    """Take the exclusive lock of a folder without waiting; the descriptor that holds it until it is closed.

    None where folders have no locks: on Windows, where open files can't be removed, and on some network file systems.

    Raises:
        BlockingIOError: another open descriptor has it.
        OSError: the folder can't be opened.
    """
    if sys.platform == "win32":
        return None
    import fcntl  # noqa: PLC0415 - not on Windows

    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
