"""Zip files that depend on nothing but their content: fixed times and permissions, order as given, atomic.

`zipfile` writes and reads them. What is compressed already (the dependencies, kept by the cache) is copied as it is,
which `zipfile` does not do by itself: `_copy` and `_raw` write and read such data behind a header of `ZipInfo`.
"""

import contextlib
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from msgspec import Struct

from formwork.diagnostics import BadInputError, EnvironmentProblemError

_UNIX = 3
# The first moment that a zip file can name.
_TIME = (1980, 1, 1, 0, 0, 0)
_MAX_BYTES, _MAX_MEMBERS = 0xFFFF_FFFE, 0xFFFE
_LEVEL = 6


class Deflated(Struct, frozen=True):
    """Compressed bytes; `size` and `crc` are those of the uncompressed content."""

    data: bytes
    size: int
    crc: int


class ArchiveMember(Struct, frozen=True):
    """A file in an archive; `content` is its bytes, compressed or not, or the file that holds them."""

    name: str
    content: bytes | Path | Deflated
    executable: bool = False

    @property
    def size(self) -> int:
        """Bytes, uncompressed."""
        match self.content:
            case bytes():
                return len(self.content)
            case Deflated():
                return self.content.size
            case path:
                return path.stat().st_size

    def read(self) -> bytes:
        """Return the bytes, uncompressed."""
        match self.content:
            case bytes():
                return self.content
            case Deflated():
                return zlib.decompress(self.content.data, -zlib.MAX_WBITS)
            case path:
                return path.read_bytes()


def write_archive(members: Iterable[ArchiveMember], path: Path, *, compress: bool) -> None:
    """Write `members` in their order to the zip file `path`, which is whole or untouched at every moment.

    Raises:
        EnvironmentProblemError: a file cannot be read or the archive cannot be written.
        BadInputError: it would pass 4 GB or 65,534 members.
    """
    with _as_environment_problem(path), replacing(path) as beside, beside.open("wb") as file:
        _write(members, file, compress=compress)


def read_archive(path: Path) -> list[ArchiveMember]:
    """Return the members of an archive of ours, compressed as they are, after a check of each one's sum.

    Raises:
        OSError: it cannot be read.
        zipfile.BadZipFile: it is damaged.
    """
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        if (broken := archive.testzip()) is not None:
            raise zipfile.BadZipFile(f"{broken} is damaged")
        return [
            ArchiveMember(each.filename, _raw(each, file), bool(each.external_attr >> 16 & 0o100))
            for each in archive.infolist()
        ]


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


def _write(members: Iterable[ArchiveMember], file: BinaryIO, *, compress: bool) -> None:
    seen: set[str] = set()
    with zipfile.ZipFile(file, "w") as archive:
        for member in members:
            check_member_name(member.name, seen)
            info = zipfile.ZipInfo(member.name, _TIME)
            info.create_system = _UNIX
            info.external_attr = (0o100755 if member.executable else 0o100644) << 16
            if compress and isinstance(member.content, Deflated):
                _copy(member.content, info, archive, file)
            else:
                method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
                archive.writestr(info, member.read(), method, _LEVEL)
            if file.tell() > _MAX_BYTES or len(seen) > _MAX_MEMBERS:
                message = "the package exceeds 4 GB or 65,534 files"
                raise BadInputError.of("package.too-large", message, expected="250 MB")


def _copy(content: Deflated, info: zipfile.ZipInfo, archive: zipfile.ZipFile, file: BinaryIO) -> None:
    """Write compressed data as a stored member, then rewrite its header as that of a deflated one."""
    with archive.open(info, "w") as member:
        member.write(content.data)
    end = file.tell()
    info.compress_type, info.CRC, info.file_size = zipfile.ZIP_DEFLATED, content.crc, content.size
    file.seek(info.header_offset)
    file.write(info.FileHeader())
    file.seek(end)


def _raw(info: zipfile.ZipInfo, file: BinaryIO) -> Deflated:
    file.seek(info.header_offset)
    header = info.FileHeader()
    if info.compress_type != zipfile.ZIP_DEFLATED or file.read(len(header)) != header:
        raise zipfile.BadZipFile(f"{info.filename} is not compressed as ours are")
    return Deflated(file.read(info.compress_size), info.file_size, info.CRC)


@contextlib.contextmanager
def _as_environment_problem(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        about = error.filename or path
        message = f'cannot write the package: "{about}": {error.strerror or error}'
        raise EnvironmentProblemError(
            message, hint="no package was written; fix the cause and run the command again"
        ) from error
