"""An object as one file, so that one rename makes it whole: its bytes, what is known of it, and the length of that."""

import json
import struct
from dataclasses import dataclass
from typing import BinaryIO

_FOOTER = struct.Struct(">I4s")
_MAGIC = b"FWS3"


@dataclass(frozen=True, slots=True)
class ObjectFacts:
    """What is known of an object: `size` in bytes, `etag` without quotes, `modified` in seconds since the epoch.

    `headers` are those that come back with it: its media type, `x-amz-meta-…` and so on, names in lower case.
    `checksums` are the ones its uploader gave: `{"crc32": base64}`.
    """

    key: str
    size: int
    etag: str
    modified: float
    headers: dict[str, str]
    checksums: dict[str, str]


def write_facts(file: BinaryIO, facts: ObjectFacts) -> None:
    """Write `facts` behind the object's bytes, of which the last has just been written."""
    text = json.dumps(
        [facts.key, facts.size, facts.etag, facts.modified, facts.headers, facts.checksums], ensure_ascii=False
    ).encode()
    file.write(text + _FOOTER.pack(len(text), _MAGIC))


def read_facts(file: BinaryIO) -> ObjectFacts:
    """The facts of the object in `file`, which is left anywhere.

    Raises:
        ValueError: the file is none of ours.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - _FOOTER.size))
    footer = file.read()
    if len(footer) != _FOOTER.size:
        raise ValueError("the file holds no object")
    length, magic = _FOOTER.unpack(footer)
    if magic != _MAGIC or length > size - _FOOTER.size:
        raise ValueError("the file holds no object")
    file.seek(size - _FOOTER.size - length)
    return ObjectFacts(*json.loads(file.read(length)))
