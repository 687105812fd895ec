"""Folders for inputs: in memory where the machine has such a place, empty again for each input."""

import contextlib
import shutil
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")


@contextlib.contextmanager
def scratch():
    """A temporary folder."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None) as name:
        yield Path(name)


def emptied(folder):
    """The folder, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def write_files(folder, files):
    """{name: bytes} written as far as the names allow: others are no question of the input."""
    for name, content in files.items():
        path = folder / name
        if ".." in name or name.startswith("/"):
            continue
        with contextlib.suppress(OSError, ValueError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
