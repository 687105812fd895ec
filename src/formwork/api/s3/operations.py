"""S3's operations: a request and its body in, an answer out. It follows S3's API reference, as far as it goes."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import BinaryIO

from formwork.api.caller import Caller
from formwork.api.s3.documents import Element, parse_deleted_keys, parse_parts, render_document, time_text
from formwork.api.s3.listing import list_objects
from formwork.api.s3.ranges import parse_range
from formwork.api.s3.request import S3Request
from formwork.object_store import multipart
from formwork.object_store.errors import S3Error
from formwork.object_store.object_file import ObjectMetadata
from formwork.object_store.store import ObjectStore, ReceivedBody

# Headers of an upload that come back with the object.
_KEPT = ("cache-control", "content-disposition", "content-language", "content-type", "expires")
_DEFAULT_TYPE = "binary/octet-stream"


@dataclass(frozen=True, slots=True)
class FileSlice:
    """A piece of an open file, which the endpoint closes after sending it."""

    file: BinaryIO
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class S3Response:
    """A response; that to a HEAD request has `body` for its length only."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | FileSlice = b""

    @property
    def length(self) -> int:
        """Bytes of the body."""
        return self.body.length if isinstance(self.body, FileSlice) else len(self.body)


class S3Api:
    """S3 over a store of objects."""

    def __init__(self, store: ObjectStore) -> None:
        self.store = store

    def respond(self, request: S3Request, caller: Caller, body: bytes | ReceivedBody) -> S3Response:
        """Answer; an object's or a part's body comes as a file, every other as bytes.

        Raises:
            S3Error: what S3 answers with an error.
        """
        if not request.bucket:
            if request.method != "GET":
                raise _not_allowed()
            return self._list_buckets(caller)
        if not request.key:
            return self._on_bucket(request, caller, body)
        if isinstance(body, ReceivedBody):
            return self._upload(request, caller, body)
        return self._on_object(request, caller, body)

    def _list_buckets(self, caller: Caller) -> S3Response:
        owner: Element = ("Owner", [("ID", caller.account), ("DisplayName", caller.account)])
        buckets: list[Element] = [
            ("Bucket", [("Name", each.name), ("CreationDate", time_text(each.created)), ("BucketRegion", each.region)])
            for each in self.store.buckets(caller.account)
        ]
        return _xml("ListAllMyBucketsResult", [owner, ("Buckets", buckets)])

    def _on_bucket(self, request: S3Request, caller: Caller, body: bytes | ReceivedBody) -> S3Response:
        if request.method == "PUT" and not request.subresource:
            self.store.create_bucket(request.bucket, account=caller.account, region=caller.region)
            return S3Response(headers={"Location": f"/{request.bucket}"})
        bucket = self.store.expect_bucket(request.bucket, account=caller.account)
        match request.method, request.subresource:
            case "HEAD", ():
                return S3Response(headers={"x-amz-bucket-region": bucket.region})
            case "DELETE", ():
                self.store.delete_bucket(bucket)
                return S3Response(204)
            case "GET", ("location",):
                place = "" if bucket.region == "us-east-1" else bucket.region
                return _xml("LocationConstraint", [], text=place)
            case "GET", ():
                return S3Response(
                    headers=_XML,
                    body=render_document("ListBucketResult", list_objects(self.store, bucket, request.query)),
                )
            case "POST", ("delete",):
                assert isinstance(body, bytes)
                keys = parse_deleted_keys(body)
                for key in keys:
                    self.store.delete(bucket, key)
                quiet = b"<Quiet>true</Quiet>" in body
                return _xml("DeleteResult", [] if quiet else [("Deleted", [("Key", key)]) for key in keys])
            case method, subresource:
                raise _not_implemented(f"{method} of a bucket's {', '.join(subresource) or 'content'}")

    def _upload(self, request: S3Request, caller: Caller, body: ReceivedBody) -> S3Response:
        bucket = self.store.expect_bucket(request.bucket, account=caller.account)
        if "x-amz-copy-source" in request.headers:
            raise _not_implemented("Copying")
        if "uploadId" in request.query:
            number = request.query["partNumber"]
            known = int(number) if number.isascii() and number.isdecimal() else 0
            metadata = multipart.put_part(self.store, bucket, request.query["uploadId"], known, body)
        else:
            if request.headers.get("if-none-match") == "*" and self._has(request, caller):
                raise _precondition("If-None-Match")
            metadata = self.store.put(bucket, request.key, body, _kept(request.headers))
        return S3Response(headers={"ETag": f'"{metadata.etag}"', **_checksums(metadata)})

    def _has(self, request: S3Request, caller: Caller) -> bool:
        try:
            _, file = self.store.open(self.store.expect_bucket(request.bucket, account=caller.account), request.key)
        except S3Error:
            return False
        file.close()
        return True

    def _on_object(self, request: S3Request, caller: Caller, body: bytes) -> S3Response:
        bucket = self.store.expect_bucket(request.bucket, account=caller.account)
        match request.method, request.subresource:
            case (("GET" | "HEAD"), (() | ("partNumber",))):
                metadata, file = self.store.open(bucket, request.key)
                try:
                    answer = _read(request, metadata, file)
                except BaseException:
                    file.close()
                    raise
                if not isinstance(answer.body, FileSlice):
                    file.close()
                return answer
            case "DELETE", ():
                self.store.delete(bucket, request.key)
                return S3Response(204)
            case "POST", ("uploads",):
                upload = multipart.create_upload(self.store, bucket, request.key, _kept(request.headers))
                named: list[Element] = [("Bucket", bucket.name), ("Key", request.key), ("UploadId", upload)]
                return _xml("InitiateMultipartUploadResult", named)
            case "POST", ("uploadId",):
                upload = request.query["uploadId"]
                metadata = multipart.complete_upload(self.store, bucket, request.key, upload, parse_parts(body))
                location = f"/{bucket.name}/{request.key}"
                made: list[Element] = [("Location", location), ("Bucket", bucket.name), ("Key", request.key)]
                return _xml("CompleteMultipartUploadResult", [*made, ("ETag", f'"{metadata.etag}"')])
            case "DELETE", ("uploadId",):
                multipart.abort_upload(self.store, bucket, request.query["uploadId"])
                return S3Response(204)
            case method, subresource:
                raise _not_implemented(f"{method} of an object's {', '.join(subresource) or 'content'}")


_XML = {"Content-Type": "application/xml"}


def _xml(name: str, elements: list[Element], *, text: str = "") -> S3Response:
    body = render_document(name, elements)
    return S3Response(headers=_XML, body=body.replace(b"></", f">{text}</".encode()) if text else body)


def _not_allowed() -> S3Error:
    return S3Error("MethodNotAllowed", "The specified method is not allowed against this resource.", status=405)


def _not_implemented(what: str) -> S3Error:
    return S3Error("NotImplemented", f"{what} is not available here: this is a small S3", status=501)


def _precondition(header: str) -> S3Error:
    return S3Error(
        "PreconditionFailed", f"At least one of the pre-conditions you specified did not hold ({header})", status=412
    )


def _kept(headers: Mapping[str, str]) -> dict[str, str]:
    kept = {name: headers[name] for name in _KEPT if name in headers}
    encodings = [each.strip() for each in headers.get("content-encoding", "").split(",")]
    if plain := ", ".join(each for each in encodings if each and each != "aws-chunked"):
        kept["content-encoding"] = plain
    return kept | {name: value for name, value in headers.items() if name.startswith("x-amz-meta-")}


def _checksums(metadata: ObjectMetadata) -> dict[str, str]:
    return {f"x-amz-checksum-{name}": value for name, value in metadata.checksums.items()}


def _read(request: S3Request, metadata: ObjectMetadata, file: BinaryIO) -> S3Response:
    etag = f'"{metadata.etag}"'
    if request.headers.get("if-match", etag) not in (etag, metadata.etag, "*"):
        raise _precondition("If-Match")
    if request.headers.get("if-none-match") in (etag, metadata.etag, "*"):
        return S3Response(304, {"ETag": etag})
    headers = {
        "Content-Type": _DEFAULT_TYPE,
        **{name.title(): value for name, value in metadata.headers.items() if not name.startswith("x-amz-")},
        **{name: value for name, value in metadata.headers.items() if name.startswith("x-amz-")},
        "ETag": etag,
        "Last-Modified": formatdate(metadata.modified, usegmt=True),
        "Accept-Ranges": "bytes",
    }
    span = parse_range(request.headers.get("range"), metadata.size)
    if span is None:
        if request.headers.get("x-amz-checksum-mode", "").upper() == "ENABLED":
            headers.update(_checksums(metadata))
        return S3Response(200, headers, FileSlice(file, 0, metadata.size))
    start, length = span
    headers["Content-Range"] = f"bytes {start}-{start + length - 1}/{metadata.size}"
    return S3Response(206, headers, FileSlice(file, start, length))


def new_request_id() -> str:
    """An id for a request, of the form that S3's have."""
    return uuid.uuid4().hex[:16].upper()
