"""Uploads in parts, as the transfer managers of SDKs do them for what is larger than 8 MB."""

import binascii
import hashlib
import json
import re
import shutil
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from formwork.object_store.errors import S3Error, no_such_upload
from formwork.object_store.object_file import ObjectMetadata, read_metadata, write_metadata
from formwork.object_store.store import MAKING, Bucket, ObjectStore, ReceivedBody

_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_MAX_PARTS = 10_000
_MIN_PART_BYTES = 5 * 1024 * 1024
_PIECE = 1 << 20


class UploadedPart(Struct, frozen=True):
    """A part as the completion of its upload names it; `checksums` are `{"crc32": base64}`."""

    number: int
    etag: str
    checksums: Mapping[str, str] = field(default_factory=dict)


class WantedObject(Struct, frozen=True):
    """The object that a completion requests: its parts, their expected total size, checksums of the whole."""

    parts: Sequence[UploadedPart]
    size: int | None = None
    checksums: Mapping[str, str] = field(default_factory=dict)


def create_upload(store: ObjectStore, bucket: Bucket, key: str, headers: dict[str, str]) -> str:
    """Begin an upload; its id."""
    name = uuid.uuid4().hex
    making = store.uploads(bucket) / f"{MAKING}{name}"
    making.mkdir(parents=True)
    (making / "upload.json").write_text(json.dumps([key, headers]), encoding="utf-8")
    making.rename(store.uploads(bucket) / name)
    return name


def put_part(  # noqa: PLR0913, PLR0917 - what a part is
    store: ObjectStore, bucket: Bucket, key: str, upload: str, number: int, body: ReceivedBody
) -> ObjectMetadata:
    """Keep a part; the same number again replaces it.

    Raises:
        S3Error: there is no such upload, or the number is none.
    """
    folder = _folder(store, bucket, upload, key)
    if not 1 <= number <= _MAX_PARTS:
        raise S3Error("InvalidArgument", f"Part number must be an integer between 1 and {_MAX_PARTS}, inclusive")
    metadata = ObjectMetadata("", body.size, body.md5, time.time(), {}, body.checksums)
    with body.path.open("ab") as file:
        write_metadata(file, metadata)
    body.path.replace(folder / f"{number:05}")
    return metadata


def complete_upload(store: ObjectStore, bucket: Bucket, key: str, upload: str, wanted: WantedObject) -> ObjectMetadata:
    """Join the parts named to the object `key`.

    Raises:
        S3Error: no such upload, or the parts are not those that were uploaded.
    """
    folder = _folder(store, bucket, upload, key)
    _, headers = json.loads((folder / "upload.json").read_text(encoding="utf-8"))
    if not wanted.parts:
        raise S3Error("MalformedXML", "The XML you provided was not well-formed or did not validate.")
    numbers = [each.number for each in wanted.parts]
    if numbers != sorted(set(numbers)):
        raise S3Error("InvalidPartOrder", "The list of parts was not in ascending order.")
    found = [_expect_part(folder, each) for each in wanted.parts]
    sizes = [each.size for _, each in found]
    size = sum(sizes)
    if wanted.size is not None and wanted.size != size:
        message = "The provided 'x-amz-mp-object-size' header does not match what was computed."
        raise S3Error("InvalidRequest", message)
    if any(metadata.size < _MIN_PART_BYTES for _, metadata in found[:-1]):
        raise S3Error("EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size")
    joined = hashlib.md5(b"".join(binascii.unhexlify(metadata.etag) for _, metadata in found), usedforsecurity=False)
    etag = f"{joined.hexdigest()}-{len(found)}"
    version, order = store.next_version(bucket, key)
    checksums = dict(wanted.checksums)
    metadata = ObjectMetadata(key, size, etag, time.time(), headers, checksums, sizes, version, order)
    path = store.new_file()
    try:
        _join(found, path, metadata)
        store.settle(bucket, path, metadata)
    finally:
        path.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    return metadata


def abort_upload(store: ObjectStore, bucket: Bucket, key: str, upload: str) -> None:
    """Forget an upload and its parts.

    Raises:
        S3Error: there is no such upload.
    """
    shutil.rmtree(_folder(store, bucket, upload, key), ignore_errors=True)


def _folder(store: ObjectStore, bucket: Bucket, upload: str, key: str) -> Path:
    folder = store.uploads(bucket) / upload
    if not _ID.fullmatch(upload) or not folder.is_dir():
        raise no_such_upload()
    if json.loads((folder / "upload.json").read_text(encoding="utf-8"))[0] != key:
        raise no_such_upload()
    return folder


def _expect_part(folder: Path, part: UploadedPart) -> tuple[Path, ObjectMetadata]:
    path = folder / f"{part.number:05}"
    metadata = None
    if 1 <= part.number <= _MAX_PARTS and path.is_file():
        with path.open("rb") as file:
            metadata = read_metadata(file)
    if metadata is None or metadata.etag != part.etag or not part.checksums.items() <= metadata.checksums.items():
        raise S3Error(
            "InvalidPart",
            "One or more of the specified parts could not be found. The part may not have been uploaded, or the"
            " specified entity tag may not match the part's entity tag.",
        )
    return path, metadata


def _join(parts: list[tuple[Path, ObjectMetadata]], path: Path, metadata: ObjectMetadata) -> None:
    with path.open("xb") as file:
        for each, part in parts:
            left = part.size
            with each.open("rb") as source:
                while left:
                    piece = source.read(min(_PIECE, left))
                    left -= len(piece)
                    file.write(piece)
        write_metadata(file, metadata)
