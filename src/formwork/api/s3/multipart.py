"""Uploads in parts, as the transfer managers of SDKs do them for what is larger than 8 MB."""

import binascii
import hashlib
import json
import re
import shutil
import time
import uuid
from pathlib import Path

from formwork.api.s3.errors import S3Error, no_such_upload
from formwork.api.s3.store import MAKING, Bucket, ObjectStore, ReceivedBody
from formwork.api.s3.stored import ObjectFacts, read_facts, write_facts

_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_MAX_PARTS = 10_000
_MIN_PART_BYTES = 5 * 1024 * 1024
_PIECE = 1 << 20


def create_upload(store: ObjectStore, bucket: Bucket, key: str, headers: dict[str, str]) -> str:
    """Begin an upload; its id."""
    name = uuid.uuid4().hex
    making = store.uploads(bucket) / f"{MAKING}{name}"
    making.mkdir(parents=True)
    (making / "upload.json").write_text(json.dumps([key, headers]), encoding="utf-8")
    making.rename(store.uploads(bucket) / name)
    return name


def put_part(store: ObjectStore, bucket: Bucket, upload: str, number: int, body: ReceivedBody) -> ObjectFacts:
    """Keep a part; the same number again replaces it.

    Raises:
        S3Error: there is no such upload, or the number is none.
    """
    folder = _folder(store, bucket, upload)
    if not 1 <= number <= _MAX_PARTS:
        raise S3Error("InvalidArgument", f"Part number must be an integer between 1 and {_MAX_PARTS}, inclusive")
    facts = ObjectFacts("", body.size, body.md5, time.time(), {}, body.checksums)
    with body.path.open("ab") as file:
        write_facts(file, facts)
    body.path.replace(folder / f"{number:05}")
    return facts


def complete_upload(
    store: ObjectStore, bucket: Bucket, key: str, upload: str, parts: list[tuple[int, str]]
) -> ObjectFacts:
    """Join the parts named (number, ETag) to the object `key`.

    Raises:
        S3Error: no such upload, or the parts are not those that were uploaded.
    """
    folder = _folder(store, bucket, upload)
    named, headers = json.loads((folder / "upload.json").read_text(encoding="utf-8"))
    if named != key:
        raise no_such_upload()
    if not parts:
        raise S3Error("MalformedXML", "The XML you provided was not well-formed or did not validate.")
    if [number for number, _ in parts] != sorted({number for number, _ in parts}):
        raise S3Error("InvalidPartOrder", "The list of parts was not in ascending order.")
    found = [_expect_part(folder, number, etag) for number, etag in parts]
    if any(facts.size < _MIN_PART_BYTES for _, facts in found[:-1]):
        raise S3Error("EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size")
    joined = hashlib.md5(b"".join(binascii.unhexlify(facts.etag) for _, facts in found), usedforsecurity=False)
    facts = ObjectFacts(
        key, sum(each.size for _, each in found), f"{joined.hexdigest()}-{len(found)}", time.time(), headers, {}
    )
    path = store.new_file()
    try:
        _join(found, path, facts)
        store.settle(bucket, path, key)
    finally:
        path.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    return facts


def abort_upload(store: ObjectStore, bucket: Bucket, upload: str) -> None:
    """Forget an upload and its parts.

    Raises:
        S3Error: there is no such upload.
    """
    shutil.rmtree(_folder(store, bucket, upload), ignore_errors=True)


def _folder(store: ObjectStore, bucket: Bucket, upload: str) -> Path:
    folder = store.uploads(bucket) / upload
    if not _ID.fullmatch(upload) or not folder.is_dir():
        raise no_such_upload()
    return folder


def _expect_part(folder: Path, number: int, etag: str) -> tuple[Path, ObjectFacts]:
    path = folder / f"{number:05}"
    facts = None
    if 1 <= number <= _MAX_PARTS and path.is_file():
        with path.open("rb") as file:
            facts = read_facts(file)
    if facts is None or facts.etag != etag:
        raise S3Error(
            "InvalidPart",
            "One or more of the specified parts could not be found. The part may not have been uploaded, or the"
            " specified entity tag may not match the part's entity tag.",
        )
    return path, facts


def _join(parts: list[tuple[Path, ObjectFacts]], path: Path, facts: ObjectFacts) -> None:
    with path.open("xb") as file:
        for each, part in parts:
            left = part.size
            with each.open("rb") as source:
                while left:
                    piece = source.read(min(_PIECE, left))
                    left -= len(piece)
                    file.write(piece)
        write_facts(file, facts)
