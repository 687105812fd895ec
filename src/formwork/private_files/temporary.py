"""Temporary folders of a process, removed when it ends, and by the next process when it was killed.

Each folder has a lock file that its process holds. The system releases the lock however the process ends, also in
another container that shares the folder for temporary files, where process ids say nothing. The first temporary folder
of a process removes those whose lock no process holds.
"""

import contextlib
import os
import re
import shutil
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import IO, TYPE_CHECKING

from formwork.private_files.locks import try_lock
from formwork.private_files.modes import open_private

if TYPE_CHECKING:
    from types import TracebackType

PREFIX = "formwork-"
LOCK_FILE = ".formwork-process"
# Without a lock file, a folder of such a name is empty, since its process was killed at once, or is that of an older
# Formwork, which may still run.
_KNOWN = re.compile(rf"{PREFIX}(coverage|gate|go|handlers|java|package|proof|state|submit)-\w+")
_UNLOCKED_SECONDS = 7 * 24 * 3600.0
_ATTEMPTS = 10
_SWEEPING = threading.Lock()
_swept = False


class TemporaryFolder:
    """A new folder for temporary files, named after its `purpose`, that only this user can read."""

    def __init__(self, purpose: str) -> None:
        sweep_once()
        self.path, lock = _create(purpose)
        self._remove = weakref.finalize(self, _remove, self.path, lock, os.getpid())

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: "type[BaseException] | None", error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder; without effect the second time."""
        self._remove()


def sweep_once() -> None:
    """Remove what killed processes left, the first time that this process asks."""
    global _swept  # noqa: PLW0603 - once per process
    with _SWEEPING:
        if not _swept:
            _swept = True
            sweep(Path(tempfile.gettempdir()))


def sweep(place: Path) -> int:
    """Remove the temporary folders in `place` of this user's processes that ended; return how many there were."""
    return sum(_remove_if_left(path) for path in place.glob(f"{PREFIX}*"))


def _create(purpose: str) -> tuple[Path, IO[str]]:
    for _attempt in range(_ATTEMPTS):
        path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{purpose}-"))
        try:
            lock = open(path / LOCK_FILE, "w", encoding="utf-8", opener=open_private)  # noqa: SIM115 - mode, life
        except FileNotFoundError:  # another process has removed it: it came between the creation and the lock
            continue
        if try_lock(lock):
            return path, lock
        lock.close()  # another process is removing it
    raise FileExistsError(f"no temporary folder could be created in {tempfile.gettempdir()}")


def _remove(path: Path, lock: IO[str], owner: int) -> None:
    lock.close()  # first: Windows removes no open file
    if os.getpid() == owner:  # and not a fork of it
        _clear(path)


def _clear(path: Path) -> None:
    """Remove a folder, its lock file last: a process that is killed meanwhile leaves what the next one recognizes."""
    with contextlib.suppress(OSError):
        for entry in path.iterdir():
            if entry.name != LOCK_FILE:
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink(missing_ok=True)
    shutil.rmtree(path, ignore_errors=True)


def _remove_if_left(path: Path) -> bool:
    with contextlib.suppress(OSError):
        if path.is_symlink() or not path.is_dir() or not _is_ours(path):
            return False
        if not (path / LOCK_FILE).exists():
            return _remove_unlocked(path)
        with (path / LOCK_FILE).open("r+", encoding="utf-8") as lock:
            if not try_lock(lock):
                return False
        _clear(path)
        return not path.exists()
    return False


def _remove_unlocked(path: Path) -> bool:
    if not _KNOWN.fullmatch(path.name):
        return False
    if not any(path.iterdir()):  # its process was killed before it had the lock, or is just about to take it
        path.rmdir()
    elif path.stat().st_mtime <= time.time() - _UNLOCKED_SECONDS:
        _clear(path)
    return not path.exists()


def _is_ours(path: Path) -> bool:
    return not hasattr(os, "geteuid") or path.lstat().st_uid == os.geteuid()
