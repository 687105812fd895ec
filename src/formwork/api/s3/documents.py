"""The XML of S3's requests and responses."""

import xml.parsers.expat
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from formwork.api.s3.unavailable import not_implemented, refuse_elements
from formwork.api.wire.errors import ApiError
from formwork.api.wire.scalars import render_text_scalar, render_timestamp
from formwork.object_store.errors import S3Error
from formwork.object_store.multipart import UploadedPart
from formwork.object_store.store import ENABLED, SUSPENDED

_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
_MAX_DEPTH = 16
_CHECKSUM = "Checksum"
_MALFORMED = "The XML you provided was not well-formed or did not validate against our published schema"

# A name with a text, or with further elements.
Element = tuple[str, "str | list[Element]"]


def render_document(name: str, elements: Iterable[Element]) -> bytes:
    """Return an XML document in S3's namespace."""
    inner = "".join(_render(each) for each in elements)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{name} xmlns="{_NAMESPACE}">{inner}</{name}>'.encode()


def render_s3_error(error: ApiError | S3Error, *, resource: str, request_id: str) -> bytes:
    """Return the XML of an error, which has no namespace."""
    details = error.details if isinstance(error, S3Error) else ()
    parts = [("Code", error.code), ("Message", error.message), *details]
    parts += [("Resource", resource), ("RequestId", request_id)]
    inner = "".join(_render(each) for each in parts)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<Error>{inner}</Error>'.encode()


def time_text(seconds: float) -> str:
    """Seconds since the epoch as S3's XML has them."""
    return render_timestamp(datetime.fromtimestamp(seconds, tz=UTC))


class _Text:
    type_name = "string"


_TEXT = _Text()


def _render(element: Element) -> str:
    name, content = element
    if isinstance(content, str):
        text = escape(render_text_scalar(_TEXT, content), {"\r": "&#13;"})
    else:
        text = "".join(_render(each) for each in content)
    return f"<{name}>{text}</{name}>"


def check_bucket_configuration(body: bytes, region: str) -> None:
    """Check what a CreateBucket says of the bucket.

    Raises:
        S3Error: the bucket would be of another Region, or of a kind that is not available here.
    """
    found = list(_texts(body)) if body.strip() else []
    refuse_elements(found, ("Location", "Bucket", "Tags"))
    for path, text in found:
        if path[-1] == "LocationConstraint" and (text.strip() or region) != region:
            raise S3Error(
                "IllegalLocationConstraintException",
                f"The {text.strip()} location constraint is incompatible for the region specific endpoint this request "
                "was sent to.",
            )


def parse_parts(body: bytes) -> list[UploadedPart]:
    """Numbers, ETags and checksums of a CompleteMultipartUpload.

    Raises:
        S3Error: the document is malformed.
    """
    parts: list[dict[str, str]] = []
    for path, text in _texts(body):
        if path == ["CompleteMultipartUpload", "Part"]:
            parts.append({})
        elif path[:-1] == ["CompleteMultipartUpload", "Part"]:
            parts[-1][path[-1]] = text
    try:
        return [
            UploadedPart(
                int(each["PartNumber"]),
                each["ETag"].strip().strip('"'),
                {name[len(_CHECKSUM) :].lower(): value for name, value in each.items() if name.startswith(_CHECKSUM)},
            )
            for each in parts
        ]
    except (KeyError, ValueError):
        raise _malformed() from None


def parse_deleted_objects(body: bytes) -> list[tuple[str, str | None]]:
    """Return the keys of a DeleteObjects, and the versions, None for objects without.

    Raises:
        S3Error: the document is malformed.
    """
    found = list(_texts(body))
    refuse_elements(found, ("ETag", "LastModifiedTime", "Size"))
    objects: list[dict[str, str]] = []
    for path, text in found:
        if path == ["Delete", "Object"]:
            objects.append({})
        elif path[:-1] == ["Delete", "Object"]:
            objects[-1][path[-1]] = text
    if not all("Key" in each for each in objects):
        raise _malformed()
    return [(each["Key"], each.get("VersionId")) for each in objects]


def parse_versioning(body: bytes) -> str:
    """Return the status of a PutBucketVersioning: Enabled or Suspended.

    Raises:
        S3Error: the document is malformed, or deletions would need a device.
    """
    found = {tuple(path): text for path, text in _texts(body)}
    if ("VersioningConfiguration",) not in found:
        raise _malformed()
    device = found.get(("VersioningConfiguration", "MfaDelete"), "Disabled")
    if device == "Enabled":
        raise not_implemented("VersioningConfiguration.MFADelete")
    status = found.get(("VersioningConfiguration", "Status"))
    if status is None:
        raise S3Error("IllegalVersioningConfigurationException", "The Versioning element must be specified")
    if status not in {ENABLED, SUSPENDED} or device != "Disabled":
        raise _malformed()
    return status


def _texts(body: bytes) -> Iterator[tuple[list[str], str]]:
    """Return each element's path and text, parents before their children."""
    found: list[tuple[list[str], list[str]]] = []
    open_elements: list[tuple[list[str], list[str]]] = []

    def start(name: str, _attributes: dict[str, str]) -> None:
        if len(open_elements) >= _MAX_DEPTH:
            raise _malformed()
        path = [*(open_elements[-1][0] if open_elements else []), name.rpartition(":")[2]]
        open_elements.append((path, []))
        found.append(open_elements[-1])

    def end(_name: str) -> None:
        open_elements.pop()

    def characters(text: str) -> None:
        open_elements[-1][1].append(text)

    def refuse(*_: object) -> None:  # a document type is where entities come from
        raise _malformed()

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(body, True)  # noqa: FBT003 - expat's own form: this is the last piece
    except xml.parsers.expat.ExpatError:
        raise _malformed() from None
    return ((path, "".join(texts)) for path, texts in found)


def _malformed() -> S3Error:
    return S3Error("MalformedXML", _MALFORMED)
