"""The state folder: its lock, and files that are written whole or not at all."""

import contextlib
import json
import math
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from formwork.diagnostics import EnvironmentProblemError
from formwork.private_files.locks import lock_folder, try_lock
from formwork.private_files.modes import close_to_others, make_private_folder, open_private

# All that Formwork writes into a state folder.
PARTS = (
    *("formwork.db", "formwork.db-wal", "formwork.db-shm", "formwork.db-journal"),
    *("state.key", "credentials", "lock", "address", "moto", "clock"),
    *("packages", "objects", "logs", "results", "servers", "iam"),
)
# Names with this prefix are incomplete; those found at the start were left by a process that died.
MAKING = ".making-"


class FolderLock:
    """An exclusive lock on a folder, released when the process ends, even if it is killed."""

    def __init__(self, path: Path, *, whole_folder: bool = False) -> None:
        """Take the lock of the file `path`, which is created; with `whole_folder` lock its folder too.

        The lock of the folder still excludes other processes when the file is deleted.

        Raises:
            EnvironmentProblemError: another process has it, or the file can't be written.
        """
        self._path = path
        self._folder: int | None = None
        try:
            self._file: IO[str] = open(path, "a+", encoding="utf-8", opener=open_private)  # noqa: SIM115 - see `release`
        except OSError as error:
            raise EnvironmentProblemError(
                f'the state folder "{path.parent}" can\'t be used: {error.strerror or error}',
                hint="name another one with --state DIR",
            ) from error
        if not self._take(whole_folder=whole_folder):
            self._file.close()
            holder = read_note(path.parent)
            process = f" (process {holder['pid']})" if "pid" in holder else ""
            where = f" at {holder['address']}" if "address" in holder else ""
            raise EnvironmentProblemError(
                f'the state folder "{path.parent}" is in use by another Formwork{process}{where}',
                hint="stop that process, use its address, or name another folder with --state DIR",
            )
        self.note()

    def _take(self, *, whole_folder: bool) -> bool:
        if not try_lock(self._file):
            return False
        try:
            self._folder = lock_folder(self._path.parent) if whole_folder else None
        except BlockingIOError:
            return False
        return True

    def note(self, **more: Any) -> None:
        """Write which process holds the folder, for others to read: its id and, for example, an `address`.

        Raises:
            EnvironmentProblemError: it can't be written.
        """
        try:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(json.dumps({"pid": os.getpid(), **more}))
            self._file.flush()
        except OSError as error:
            raise EnvironmentProblemError(
                f'the state folder "{self._path.parent}" can\'t be written: {error.strerror or error}',
                hint="make room there, or name another one with --state DIR",
            ) from error

    def release(self) -> None:
        """Release the lock."""
        with contextlib.suppress(OSError, ValueError):
            self._file.seek(0)
            self._file.truncate()
            self._file.close()
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None


def read_note(folder: Path) -> dict[str, Any]:
    """Return what the process that holds the folder's lock wrote; {} where none holds it or nothing can be read."""
    return read_locked_note(folder / "lock")


def read_locked_note(path: Path) -> dict[str, Any]:
    """Return what the process that holds the lock file `path` wrote; {} where none holds it or nothing can be read."""
    try:
        with path.open("r+", encoding="utf-8") as file:
            if try_lock(file):  # the process that wrote the file has ended
                return {}
            value = json.load(file)
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def make_state_folder(folder: Path) -> None:
    """Create a state folder that only this user can read, or restrict an existing one to this user.

    Raises:
        EnvironmentProblemError: it can't be created, or belongs to another user.
    """
    try:
        make_private_folder(folder)
    except OSError as error:
        if not folder.is_dir():
            raise EnvironmentProblemError(
                f'the state folder "{folder}" can\'t be created: {error.strerror or error}',
                hint="name another with --state",
            ) from error
        raise EnvironmentProblemError(
            f'the state folder "{folder}" can\'t be closed to other users: {error.strerror or error}',
            hint="run each server and worker as the user that owns the folder, or name another with --state",
        ) from error


class StateFolder(Struct, frozen=True):
    """`formwork.db`, `packages/`, `objects/`, `logs/` and what else belongs to one local service."""

    root: Path

    def close_to_others(self) -> int:
        """Remove other users' permissions from Formwork's files here; return how many entries had any.

        Older versions created files with the modes of the umask. Files that are not Formwork's keep their modes.
        """
        return close_to_others(*(self.root / name for name in PARTS))

    def write_address(self, url: str) -> None:
        """Store the address of the service that uses this folder, for workers to read."""
        self.write_file(self.root / "address", url.encode())

    def read_address(self) -> str:
        """Return the address of the service that uses this folder.

        Raises:
            EnvironmentProblemError: none has ever been started with this folder.
        """
        try:
            return (self.root / "address").read_text(encoding="utf-8")
        except OSError as error:
            raise EnvironmentProblemError(
                f'no service has been started with the state folder "{self.root}"',
                hint="start `cfn serve` with this folder first",
            ) from error

    @property
    def moto(self) -> Path:
        """The file with the address of the server's moto, while it has one."""
        return self.root / "moto"

    @property
    def clock(self) -> Path:
        """The file with what the next process needs to continue this one's clock; see `clock`."""
        return self.root / "clock"

    @property
    def packages(self) -> Path:
        """Unpacked packages, one folder per package, named by the SHA-256 of the archive."""
        return self.root / "packages"

    @property
    def objects(self) -> Path:
        """Objects that clients upload."""
        return self.root / "objects"

    @property
    def logs(self) -> Path:
        """Logs of handlers, one folder per log group."""
        return self.root / "logs"

    @property
    def results(self) -> Path:
        """The logs of contract tests as zip files, one folder per account and Region."""
        return self.root / "results"

    @contextlib.contextmanager
    def making(self, place: Path) -> Iterator[Path]:
        """Create a temporary folder to fill; rename it to `place` when the block ends, delete it on an exception.

        A `place` that exists by then stays: equal names mean equal content.
        """
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.parent / f"{MAKING}{uuid.uuid4().hex}"
        beside.mkdir()
        try:
            yield beside
            with contextlib.suppress(OSError):  # another process has created the same one
                os.rename(beside, place)  # noqa: PTH104 - Path.rename replaces an empty folder on some platforms
            if not place.is_dir():
                raise EnvironmentProblemError(f'"{place}" could not be created', hint="check that the disk is not full")
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def write_file(self, place: Path, content: bytes) -> None:
        """Write a file atomically: other processes see it whole or not at all."""
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.parent / f"{MAKING}{uuid.uuid4().hex}"
        try:
            beside.write_bytes(content)
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)

    def remove_half_made(self, *, before: float = math.inf) -> int:
        """Remove incomplete files of processes that died; return how many. Call only while no other process works here.

        Files written after `before` (seconds since the epoch) are this process's own and stay.
        """
        found = [
            each
            for part in (self.packages, self.objects, self.logs, self.results)
            for each in part.rglob(f"{MAKING}*")
            if _last_written(each) < before
        ]
        for each in found:
            if each.is_dir():
                shutil.rmtree(each, ignore_errors=True)
            else:
                each.unlink(missing_ok=True)
        return len(found)


def _last_written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # it was renamed to its final name meanwhile
        return math.inf
