"""Opening files that another party has named."""

import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_file(path: Path | str) -> BinaryIO:
    """Return the file at `path`, open for reading.

    Raises:
        OSError: there is none, it may not be read, or it is a named pipe, which would be waited for without end. The
            pipe of a shell's `<(command)` is not a named one.
        ValueError: the path holds a NUL.
    """
    if is_named_pipe(path):
        raise OSError(0, "it is a named pipe, not a file", str(path))
    return Path(path).open("rb")


def is_named_pipe(path: Path | str) -> bool:
    """Return whether `path` leads to a pipe in a folder; a shell's `<(command)` is a pipe of a process."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode) and os.path.exists(os.path.realpath(path))  # noqa: PTH110, PTH116 - the path may hold anything
    except (OSError, ValueError):
        return False
