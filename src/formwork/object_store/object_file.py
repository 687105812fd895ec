"""The file of an object: its bytes, its metadata, the length of the metadata; one rename stores it."""

import json
import struct
from typing import BinaryIO

from msgspec import Struct, field
from msgspec.structs import astuple

from formwork.object_store.version_ids import NULL_VERSION

_FOOTER = struct.Struct(">I4s")
_MAGIC = b"FWS3"


class ObjectMetadata(Struct, frozen=True):
    """An object's metadata: `size` in bytes, `etag` without quotes, `modified` in seconds since the epoch.

    `headers` are those that come back with it: its media type, `x-amz-meta-…` and so on, names in lower case.
    `checksums` are the ones its uploader gave: `{"crc32": base64}`. `parts` are the sizes of its parts where it was
    uploaded in some. `version` is the id of the version; the greatest `order` of an object's versions is the current
    one's. `deleted` is true of a delete marker. Files that were written before these members existed have the defaults.
    """

    key: str
    size: int
    etag: str
    modified: float
    headers: dict[str, str]
    checksums: dict[str, str]
    parts: list[int] = field(default_factory=list)
    version: str = NULL_VERSION
    order: int = 0
    deleted: bool = False


def write_metadata(file: BinaryIO, metadata: ObjectMetadata) -> None:
    """Write `metadata` after the object's bytes, the last of which has just been written."""
    text = json.dumps(astuple(metadata), ensure_ascii=False).encode()
    file.write(text + _FOOTER.pack(len(text), _MAGIC))


def read_metadata(file: BinaryIO) -> ObjectMetadata:
    """The metadata of the object in `file`, whose position changes.

    Raises:
        ValueError: the file does not contain an object.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - _FOOTER.size))
    footer = file.read()
    if len(footer) != _FOOTER.size:
        raise ValueError("the file does not contain an object")
    length, magic = _FOOTER.unpack(footer)
    if magic != _MAGIC or length > size - _FOOTER.size:
        raise ValueError("the file does not contain an object")
    file.seek(size - _FOOTER.size - length)
    return ObjectMetadata(*json.loads(file.read(length)))
