"""Zip files that depend on nothing but their content: fixed times and permissions, order as given, atomic.

The format is written here rather than by `zipfile`, so that what is compressed already (the dependencies, kept by the
cache) is copied as it is, and no version of Python changes a byte. Format: PKWARE's APPNOTE.TXT 4.3, without zip64.
"""

import contextlib
import os
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from formwork.diagnostics import BadInputError, EnvironmentProblemError

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_STORED, _DEFLATED = 0, 8
_NEEDS_2_0 = 20
_MADE_ON_UNIX = (3 << 8) | _NEEDS_2_0
_UTF8_NAMES = 1 << 11
# 1980-01-01 00:00, the first moment a zip file can name: time 0, date with day and month 1.
_TIME, _DATE = 0, 0x21
_MAX_BYTES, _MAX_MEMBERS = 0xFFFF_FFFE, 0xFFFE
_LEVEL = 6


@dataclass(frozen=True, slots=True)
class Deflated:
    """Bytes that are compressed already; `size` and `crc` are of what they unpack to."""

    data: bytes
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class ArchiveMember:
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
        """The bytes, uncompressed."""
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
    """The members of an archive of ours, compressed as they are, after a check of each one's sum.

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
    directory: list[bytes] = []
    seen: set[str] = set()
    for member in members:
        check_member_name(member.name, seen)
        offset = file.tell()
        name, data, fields = _encode(member, compress=compress)
        file.write(_LOCAL.pack(b"PK\x03\x04", _NEEDS_2_0, *fields, len(name), 0) + name)
        file.write(data)
        mode = (0o100755 if member.executable else 0o100644) << 16
        directory.append(
            _CENTRAL.pack(b"PK\x01\x02", _MADE_ON_UNIX, _NEEDS_2_0, *fields, len(name), 0, 0, 0, 0, mode, offset) + name
        )
        if file.tell() > _MAX_BYTES or len(seen) > _MAX_MEMBERS:
            raise BadInputError.of("package.too-large", "the package passes 4 GB or 65,534 files", expected="250 MB")
    start = file.tell()
    file.writelines(directory)
    file.write(_END.pack(b"PK\x05\x06", 0, 0, len(seen), len(seen), file.tell() - start, start, 0))


def _encode(member: ArchiveMember, *, compress: bool) -> tuple[bytes, bytes, tuple[int, ...]]:
    """Name, data, and the fields that both headers have: flags, method, time, date, sum, packed size, size."""
    name = member.name.encode()
    flags = 0 if name.isascii() else _UTF8_NAMES
    if compress and isinstance(member.content, Deflated):
        packed = member.content
    else:
        plain = member.read()
        packed = Deflated(_deflate(plain) if compress else plain, len(plain), zlib.crc32(plain))
    method = _DEFLATED if compress else _STORED
    return name, packed.data, (flags, method, _TIME, _DATE, packed.crc, len(packed.data), packed.size)


def _deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def _raw(info: zipfile.ZipInfo, file: BinaryIO) -> Deflated:
    file.seek(info.header_offset)
    *_, name_length, extra_length = _LOCAL.unpack(file.read(_LOCAL.size))
    file.seek(name_length + extra_length, os.SEEK_CUR)
    if info.compress_type != _DEFLATED:
        raise zipfile.BadZipFile(f"{info.filename} is not compressed as ours are")
    return Deflated(file.read(info.compress_size), info.file_size, info.CRC)


@contextlib.contextmanager
def _as_environment_problem(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        about = error.filename or path
        message = f'cannot write the package: "{about}": {error.strerror or error}'
        raise EnvironmentProblemError(message, hint="nothing was written; mend it and run again") from error
