"""Opening files that another party has named."""

import io
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

_NOTHING: Mapping[Path, str] = {}
_unsaved: ContextVar[Mapping[Path, str]] = ContextVar("formwork_unsaved_texts", default=_NOTHING)


@contextmanager
def unsaved_texts(texts: Mapping[Path, str]) -> Iterator[None]:
    """Have the files at the absolute paths in `texts` read as these texts, in this thread.

    An editor has not saved them. Whether a file exists is still what the disk says.
    """
    token = _unsaved.set(texts)
    try:
        yield
    finally:
        _unsaved.reset(token)


def open_file(path: Path | str) -> BinaryIO:
    """Return the file at `path`, open for reading.

    Raises:
        OSError: there is none, it may not be read, or it is a named pipe, which would be waited for without end. The
            pipe of a shell's `<(command)` is not a named one.
        ValueError: the path holds a NUL.
    """
    if texts := _unsaved.get():
        text = texts.get(Path(path).absolute())
        if text is not None:
            return io.BytesIO(text.encode("utf-8", "surrogatepass"))
    if is_named_pipe(path):
        raise OSError(0, "it is a named pipe, not a file", str(path))
    return Path(path).open("rb")


def size_of(file: BinaryIO) -> int:
    """Return the size of a file that `open_file` opened: 0 for what has none, such as a device."""
    return len(file.getbuffer()) if isinstance(file, io.BytesIO) else os.fstat(file.fileno()).st_size


def read_at_most(file: BinaryIO, limit: int, *, size: int) -> bytes:
    """Return the rest of a file of `size` bytes, of which at most `limit` and one more are read.

    A device has no size, and may have no end. `read` makes memory for all that it is asked for: 10 MB take 0.1 ms.
    """
    data = file.read((min(size, limit) or limit) + 1)
    return data + file.read(limit + 1 - len(data)) if 0 < size < len(data) <= limit else data  # it has grown meanwhile


def is_named_pipe(path: Path | str) -> bool:
    """Return whether `path` leads to a pipe in a folder; a shell's `<(command)` is a pipe of a process."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode) and os.path.exists(os.path.realpath(path))  # noqa: PTH110, PTH116 - the path may hold anything
    except (OSError, ValueError):
        return False
