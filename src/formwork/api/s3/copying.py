"""CopyObject: an object, or a version of it, under another name or as a new version of itself."""

import base64
import hashlib
from collections.abc import Mapping
from typing import BinaryIO
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from formwork.api.caller import Caller
from formwork.api.s3.answers import S3Response
from formwork.api.s3.documents import Element, render_document, time_text
from formwork.api.s3.incoming import make_checksum
from formwork.api.s3.reading import is_known, precondition
from formwork.api.s3.request import S3Request
from formwork.api.s3.stored_headers import OF_PLACE, stored_headers
from formwork.api.s3.unavailable import not_implemented
from formwork.api.s3.versions import new_version_headers
from formwork.object_store.errors import S3Error, access_denied
from formwork.object_store.object_file import ObjectMetadata
from formwork.object_store.store import Bucket, ObjectStore, ReceivedBody

_PREFIX = "x-amz-copy-source-"
_TAGS = "x-amz-tagging-count"
_PIECE = 1 << 20


class _Source(Struct, frozen=True):
    bucket: Bucket
    key: str
    version: str | None


def copy_object(store: ObjectStore, bucket: Bucket, request: S3Request, caller: Caller) -> S3Response:
    """Copy what x-amz-copy-source names to the object of the request.

    Raises:
        S3Error: the source can't be read, its conditions do not hold, or nothing would change.
    """
    source = _source(store, request.headers, caller)
    try:
        metadata, file = store.open(source.bucket, source.key, source.version)
    except S3Error as error:
        if error.code != "MethodNotAllowed":
            raise
        message = "The source of a copy request may not specifically refer to a delete marker by version id."
        raise S3Error("InvalidRequest", message) from None
    with file:
        _check_conditions(request.headers, metadata)
        headers = _headers(request.headers, metadata)
        if (source.bucket.name, source.key, source.version) == (bucket.name, request.key, None):
            _check_change(request.headers)
        body = _copy(store, file, metadata, request.headers)
    try:
        made = store.put(bucket, request.key, body, headers)
    finally:
        body.path.unlink(missing_ok=True)
    told = {"x-amz-copy-source-version-id": metadata.version} if source.bucket.versioning else {}
    elements: list[Element] = [("LastModified", time_text(made.modified)), ("ETag", f'"{made.etag}"')]
    elements += [(f"Checksum{name.upper()}", value) for name, value in made.checksums.items()]
    return S3Response(
        headers={"Content-Type": "application/xml", **new_version_headers(made), **told},
        body=render_document("CopyObjectResult", elements),
    )


def _source(store: ObjectStore, headers: Mapping[str, str], caller: Caller) -> _Source:
    path, versioned, version = headers["x-amz-copy-source"].removeprefix("/").partition("?versionId=")
    try:
        bucket, _, key = unquote_to_bytes(path).decode().partition("/")
    except UnicodeDecodeError:
        bucket = key = ""
    if not key:
        message = "Copy Source must mention the source bucket and key: sourcebucket/sourcekey"
        raise S3Error("InvalidArgument", message)
    if headers.get("x-amz-source-expected-bucket-owner", caller.account) != caller.account:
        raise access_denied()
    return _Source(store.expect_bucket(bucket, account=caller.account), key, version if versioned else None)


def _check_conditions(headers: Mapping[str, str], metadata: ObjectMetadata) -> None:
    conditions = {name[len(_PREFIX) :]: value for name, value in headers.items() if name.startswith(_PREFIX)}
    if is_known(conditions, metadata):
        raise precondition("x-amz-copy-source-If-None-Match or x-amz-copy-source-If-Modified-Since")


def _headers(headers: Mapping[str, str], metadata: ObjectMetadata) -> dict[str, str]:
    """Return the headers that the copy keeps: the source's or the request's, as the directives say."""
    given = stored_headers(headers)
    replaces = _replaces(headers, "x-amz-metadata-directive", "metadata")
    described = given if replaces else metadata.headers
    kept = {name: value for name, value in described.items() if name not in OF_PLACE and name != _TAGS}
    kept |= {name: value for name, value in given.items() if name in OF_PLACE}
    tagged = given if _replaces(headers, "x-amz-tagging-directive", "tagging") else metadata.headers
    return kept | ({_TAGS: tagged[_TAGS]} if _TAGS in tagged else {})


def _replaces(headers: Mapping[str, str], name: str, what: str) -> bool:
    directive = headers.get(name, "COPY")
    if directive not in {"COPY", "REPLACE"}:
        raise S3Error("InvalidArgument", f"Unknown {what} directive.")
    return directive == "REPLACE"


def _check_change(headers: Mapping[str, str]) -> None:
    if headers.get("x-amz-metadata-directive") != "REPLACE" and not OF_PLACE.intersection(headers):
        raise S3Error(
            "InvalidRequest",
            "This copy request is illegal because it is trying to copy an object to itself without changing the"
            " object's metadata, storage class, website redirect location or encryption attributes.",
        )


def _copy(store: ObjectStore, file: BinaryIO, metadata: ObjectMetadata, headers: Mapping[str, str]) -> ReceivedBody:
    algorithm = headers.get("x-amz-checksum-algorithm", "").lower()
    checksum = make_checksum(algorithm)
    if algorithm and checksum is None and algorithm not in metadata.checksums:
        raise not_implemented(f"ChecksumAlgorithm {algorithm.upper()} of a copy (x-amz-checksum-algorithm)")
    md5 = hashlib.md5(usedforsecurity=False)
    path = store.new_file()
    file.seek(0)
    try:
        with path.open("xb") as copy:
            left = metadata.size
            while left:
                piece = file.read(min(_PIECE, left))
                left -= len(piece)
                md5.update(piece)
                if checksum is not None:
                    checksum.update(piece)
                copy.write(piece)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    checksums = metadata.checksums
    if checksum is not None:
        checksums = {algorithm: base64.b64encode(checksum.digest()).decode()}
    elif algorithm:
        checksums = {algorithm: checksums[algorithm]}
    return ReceivedBody(path, metadata.size, md5.hexdigest(), checksums)
