"""Modes of files and folders: 0600 and 0700, whatever the umask of the process is.

Windows has no such modes: there the folders of a user are closed to others by their access lists, which is inherited.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

_POSIX = os.name == "posix"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_PRIVATE_UMASK = 0o077
_FOLDER, _FILE = 0o700, 0o600


@contextlib.contextmanager
def private_umask() -> Iterator[None]:
    """Have this process and the ones it starts create files and folders for this user alone, until the block ends.

    The umask belongs to the whole process: for commands, not for libraries.
    """
    before = os.umask(_PRIVATE_UMASK)
    try:
        yield
    finally:
        os.umask(before)


def make_private_folder(folder: Path) -> None:
    """Create `folder` (and its parents, as usual) with mode 0700, or give it that mode.

    Raises:
        OSError: it can't be created, belongs to another user, or is meant for all users, as /tmp is.
    """
    folder.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
    mode = stat.S_IMODE(folder.stat().st_mode)
    if _POSIX and mode != _FOLDER:
        if mode & stat.S_ISVTX:
            raise PermissionError(errno.EPERM, "it is a folder for the files of all users", str(folder))
        folder.chmod(_FOLDER)


def open_private(path: str, flags: int) -> int:
    """Open a file as `open(…, opener=open_private)` asks; one that it creates has mode 0600."""
    return os.open(path, flags, _FILE)


def close_to_others(*places: Path) -> int:
    """Take the rights of other users away from files and folders and all that is in these.

    Return how many had any. Links are not followed. What belongs to another user, or is gone by now, stays as it is.
    """
    if not _POSIX:
        return 0
    return sum(_close(path) for place in places for path in _entries(place))


def _entries(place: Path) -> Iterator[str]:
    """Yield the path of a file or folder and of everything in it, parents first."""
    waiting = [os.fspath(place)]
    while waiting:
        path = waiting.pop()
        yield path
        with contextlib.suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    yield entry.path


def _close(path: str) -> bool:
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        if status.st_mode & _OTHERS and not stat.S_ISLNK(status.st_mode):
            os.chmod(path, stat.S_IMODE(status.st_mode) & ~_OTHERS)  # noqa: PTH101 - a text already
            return True
    return False
