"""Reading of an object: its headers, what of it is wanted, and whether it is wanted at all."""

from collections.abc import Mapping
from email.utils import formatdate, parsedate_to_datetime
from typing import BinaryIO

from formwork.api.s3.answers import FileSlice, S3Response
from formwork.api.s3.ranges import parse_range
from formwork.api.s3.request import S3Request
from formwork.object_store.errors import S3Error
from formwork.object_store.object_file import ObjectMetadata

_DEFAULT_TYPE = "binary/octet-stream"
_OVERRIDES = ("cache-control", "content-disposition", "content-encoding", "content-language", "content-type", "expires")


def read_object(request: S3Request, metadata: ObjectMetadata, file: BinaryIO, told: Mapping[str, str]) -> S3Response:
    """Answer GET or HEAD of the object in `file`; `told` are headers to add to the answer.

    Raises:
        S3Error: a precondition does not hold, or the range or the part is not there.
    """
    etag = f'"{metadata.etag}"'
    if is_known(request.headers, metadata):
        return S3Response(304, {"ETag": etag, **told})
    part = _part(request.query, metadata)
    headers = {
        "Content-Type": _DEFAULT_TYPE,
        **{name.title(): value for name, value in metadata.headers.items() if not name.startswith("x-amz-")},
        **{name: value for name, value in metadata.headers.items() if name.startswith("x-amz-")},
        **{name.title(): value for name in _OVERRIDES if (value := request.query.get(f"response-{name}"))},
        "ETag": etag,
        "Last-Modified": formatdate(metadata.modified, usegmt=True),
        "Accept-Ranges": "bytes",
        **told,
    }
    if part is not None and metadata.parts:
        headers["x-amz-mp-parts-count"] = str(len(metadata.parts))
    span = part if part is not None and metadata.size else parse_range(request.headers.get("range"), metadata.size)
    if span is None:
        if request.headers.get("x-amz-checksum-mode", "").upper() == "ENABLED":
            headers.update(checksum_headers(metadata))
        return S3Response(200, headers, FileSlice(file, 0, metadata.size))
    start, length = span
    headers["Content-Range"] = f"bytes {start}-{start + length - 1}/{metadata.size}"
    return S3Response(206, headers, FileSlice(file, start, length))


def is_known(headers: Mapping[str, str], metadata: ObjectMetadata) -> bool:
    """Return whether the client has the object already, by conditions in headers; entity tags win over dates, as in S3.

    Raises:
        S3Error: the object is not the one that the client wants.
    """
    modified, etag = int(metadata.modified), f'"{metadata.etag}"'
    if "if-match" in headers:
        if headers["if-match"] not in (etag, metadata.etag, "*"):
            raise precondition("If-Match")
    elif (unmodified := _seconds(headers.get("if-unmodified-since"))) is not None and modified > unmodified:
        raise precondition("If-Unmodified-Since")
    if "if-none-match" in headers:
        return headers["if-none-match"] in (etag, metadata.etag, "*")
    since = _seconds(headers.get("if-modified-since"))
    return since is not None and modified <= since


def _seconds(date: str | None) -> float | None:
    """Return an HTTP date as seconds since the epoch; None if it is not a date, since HTTP ignores such a header."""
    if date is None:
        return None
    try:
        return parsedate_to_datetime(date).timestamp()
    except ValueError:
        return None


def _part(query: Mapping[str, str], metadata: ObjectMetadata) -> tuple[int, int] | None:
    """Return the start and the length of the part that a request asks for, None where it asks for none.

    Raises:
        S3Error: the object has no such part.
    """
    text = query.get("partNumber")
    if text is None:
        return None
    sizes = metadata.parts or [metadata.size]
    number = int(text) if text.isascii() and text.isdecimal() else 0
    if not 1 <= number <= len(sizes):
        raise S3Error("InvalidPartNumber", "The requested partnumber is not satisfiable", status=416)
    return sum(sizes[: number - 1]), sizes[number - 1]


def precondition(header: str) -> S3Error:
    """Return the error for a precondition that does not hold."""
    return S3Error(
        "PreconditionFailed", f"At least one of the pre-conditions you specified did not hold ({header})", status=412
    )


def checksum_headers(metadata: ObjectMetadata) -> dict[str, str]:
    """Return the headers with an object's checksums."""
    return {f"x-amz-checksum-{name}": value for name, value in metadata.checksums.items()}
