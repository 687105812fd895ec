"""Zip files that depend on nothing but their content: fixed times and permissions, order as given, atomic."""

import contextlib
import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from formwork.diagnostics import EnvironmentProblemError

# The first moment a zip file can name.
_TIME = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive; `content` is its bytes, or the file that holds them."""

    name: str
    content: bytes | Path
    executable: bool = False

    @property
    def size(self) -> int:
        """Bytes, uncompressed."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    def read(self) -> bytes:
        """The bytes."""
        return self.content if isinstance(self.content, bytes) else self.content.read_bytes()


def write_archive(members: Iterable[Member], path: Path, *, compress: bool) -> None:
    """Write `members` in their order to the zip file `path`, which is whole or untouched at every moment.

    Raises:
        EnvironmentProblemError: a file cannot be read or the archive cannot be written.
    """
    with _as_environment_problem(path), replacing(path) as beside, zipfile.ZipFile(beside, "w") as archive:
        seen: set[str] = set()
        for member in members:
            check_member_name(member.name, seen)
            _add(archive, member, zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED)


def check_member_name(name: str, seen: set[str]) -> None:
    """Note `name` in `seen`.

    Raises:
        ValueError: it would leave the folder it is unpacked in, or stands there already.
    """
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise ValueError(f"an archive's members lie below its root, not at {name!r}")
    if name in seen:
        raise ValueError(f"{name!r} is in the archive already")
    seen.add(name)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes `path`'s place when the block ends well, and is gone when not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _add(archive: zipfile.ZipFile, member: Member, compression: int) -> None:
    info = zipfile.ZipInfo(member.name, _TIME)
    info.create_system = _UNIX  # the same on every platform
    info.external_attr = (0o100755 if member.executable else 0o100644) << 16
    info.compress_type = compression
    if isinstance(member.content, bytes):
        archive.writestr(info, member.content)
        return
    info.file_size = member.size
    with member.content.open("rb") as source, archive.open(info, "w") as target:
        shutil.copyfileobj(source, target, 1 << 20)


@contextlib.contextmanager
def _as_environment_problem(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        about = error.filename or path
        message = f'cannot write the package: "{about}": {error.strerror or error}'
        raise EnvironmentProblemError(message, hint="nothing was written; mend it and run again") from error
