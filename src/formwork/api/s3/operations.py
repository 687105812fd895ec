"""S3's operations: a request and its body in, an answer out. It follows S3's API reference, as far as it goes."""

import uuid
from collections.abc import Mapping

from formwork.api.caller import Caller
from formwork.api.s3.answers import FileSlice, S3Response
from formwork.api.s3.copying import copy_object
from formwork.api.s3.documents import (
    Element,
    check_bucket_configuration,
    parse_parts,
    parse_versioning,
    render_document,
    time_text,
)
from formwork.api.s3.incoming import check_announced, check_document, given_checksums
from formwork.api.s3.listing import list_objects, take_buckets
from formwork.api.s3.reading import checksum_headers, precondition, read_object
from formwork.api.s3.request import S3Request
from formwork.api.s3.stored_headers import stored_headers
from formwork.api.s3.unavailable import not_implemented, refuse_unavailable
from formwork.api.s3.versions import delete_objects, deletion_headers, list_versions, new_version_headers
from formwork.object_store import multipart
from formwork.object_store.errors import S3Error, access_denied
from formwork.object_store.store import Bucket, ObjectStore, ReceivedBody

# Headers of a multipart upload that its answer repeats.
_OF_UPLOADS = ("x-amz-checksum-algorithm", "x-amz-checksum-type")


class S3Api:
    """S3 over a store of objects."""

    def __init__(self, store: ObjectStore) -> None:
        self.store = store

    def respond(self, request: S3Request, caller: Caller, body: bytes | ReceivedBody) -> S3Response:
        """Answer; an object's or a part's body comes as a file, every other as bytes.

        Raises:
            S3Error: what S3 answers with an error.
        """
        refuse_unavailable(request)
        check_announced(request.headers)
        if request.headers.get("x-amz-expected-bucket-owner", caller.account) != caller.account:
            raise access_denied()
        if not request.bucket:
            if request.method != "GET":
                raise _not_allowed()
            return self._list_buckets(request, caller)
        if not request.key:
            return self._on_bucket(request, caller, body)
        if isinstance(body, ReceivedBody):
            return self._upload(request, caller, body)
        return self._on_object(request, caller, body)

    def _list_buckets(self, request: S3Request, caller: Caller) -> S3Response:
        owner: Element = ("Owner", [("ID", caller.account), ("DisplayName", caller.account)])
        page, more = take_buckets(self.store.buckets(caller.account), request.query)
        buckets: list[Element] = [
            ("Bucket", [("Name", each.name), ("CreationDate", time_text(each.created)), ("BucketRegion", each.region)])
            for each in page
        ]
        rest: list[Element] = [("Prefix", request.query["prefix"])] if "prefix" in request.query else []
        rest += [("ContinuationToken", page[-1].name)] if more else []
        return _xml("ListAllMyBucketsResult", [owner, ("Buckets", buckets), *rest])

    def _on_bucket(self, request: S3Request, caller: Caller, body: bytes | ReceivedBody) -> S3Response:
        if request.method == "PUT" and not request.subresource:
            assert isinstance(body, bytes)
            check_bucket_configuration(body, caller.region)
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
            case _, (("delete",) | ("versioning",) | ("versions",)):
                assert isinstance(body, bytes)
                return self._on_versions(request, bucket, body)
            case method, subresource:
                raise not_implemented(f"{method} of a bucket's {', '.join(subresource) or 'content'}")

    def _on_versions(self, request: S3Request, bucket: Bucket, body: bytes) -> S3Response:
        check_document(request.headers, body)
        match request.method, request.subresource[0]:
            case "POST", "delete":
                return _xml("DeleteResult", delete_objects(self.store, bucket, body))
            case "GET", "versions":
                return _xml("ListVersionsResult", list_versions(self.store, bucket, request.query))
            case "GET", "versioning":
                status: list[Element] = [("Status", bucket.versioning)] if bucket.versioning else []
                return _xml("VersioningConfiguration", status)
            case "PUT", "versioning":
                self.store.set_versioning(bucket, parse_versioning(body))
                return S3Response()
            case method, subresource:
                raise not_implemented(f"{method} of a bucket's {subresource}")

    def _upload(self, request: S3Request, caller: Caller, body: ReceivedBody) -> S3Response:
        bucket = self.store.expect_bucket(request.bucket, account=caller.account)
        if "uploadId" in request.query:
            if "x-amz-copy-source" in request.headers:
                raise not_implemented("CopySource of a part (x-amz-copy-source)")
            number = request.query["partNumber"]
            known = int(number) if number.isascii() and number.isdecimal() else 0
            metadata = multipart.put_part(self.store, bucket, request.key, request.query["uploadId"], known, body)
        else:
            self._check_write(request, bucket)
            metadata = self.store.put(bucket, request.key, body, stored_headers(request.headers))
        headers = {"ETag": f'"{metadata.etag}"', **checksum_headers(metadata), **new_version_headers(metadata)}
        return S3Response(headers=headers)

    def _check_write(self, request: S3Request, bucket: Bucket) -> None:
        """Refuse a write or a deletion whose If-Match or If-None-Match does not hold."""
        match, none_match = request.headers.get("if-match"), request.headers.get("if-none-match")
        if match is None and none_match is None:
            return
        try:
            metadata, file = self.store.open(bucket, request.key, request.query.get("versionId"))
        except S3Error:
            if match is not None:
                raise
            return
        file.close()
        if match is not None and match not in (f'"{metadata.etag}"', metadata.etag, "*"):
            raise precondition("If-Match")
        if none_match == "*":
            raise precondition("If-None-Match")

    def _on_object(self, request: S3Request, caller: Caller, body: bytes) -> S3Response:
        bucket = self.store.expect_bucket(request.bucket, account=caller.account)
        match request.method, request.subresource:
            case (("GET" | "HEAD"), (() | ("partNumber",) | ("versionId",) | ("partNumber", "versionId"))):
                metadata, file = self.store.open(bucket, request.key, request.query.get("versionId"))
                told = {"x-amz-version-id": metadata.version} if bucket.versioning else {}
                try:
                    answer = read_object(request, metadata, file, told)
                except BaseException:
                    file.close()
                    raise
                if not isinstance(answer.body, FileSlice):
                    file.close()
                return answer
            case "PUT", () if "x-amz-copy-source" in request.headers:
                self._check_write(request, bucket)
                return copy_object(self.store, bucket, request, caller)
            case "DELETE", (() | ("versionId",)):
                self._check_write(request, bucket)
                deleted = self.store.delete(bucket, request.key, request.query.get("versionId"))
                return S3Response(204, deletion_headers(deleted))
            case "POST", ("uploads",):
                upload = multipart.create_upload(self.store, bucket, request.key, stored_headers(request.headers))
                named: list[Element] = [("Bucket", bucket.name), ("Key", request.key), ("UploadId", upload)]
                answer = _xml("InitiateMultipartUploadResult", named)
                told = {name: request.headers[name] for name in _OF_UPLOADS if name in request.headers}
                return S3Response(headers={**answer.headers, **told}, body=answer.body)
            case "POST", ("uploadId",):
                upload = request.query["uploadId"]
                self._check_write(request, bucket)
                wanted = multipart.WantedObject(
                    parse_parts(body), _size(request.headers), given_checksums(request.headers)
                )
                metadata = multipart.complete_upload(self.store, bucket, request.key, upload, wanted)
                location = f"/{bucket.name}/{request.key}"
                made: list[Element] = [("Location", location), ("Bucket", bucket.name), ("Key", request.key)]
                kind = request.headers.get("x-amz-checksum-type")
                made += [("ChecksumType", kind)] if kind else []
                answer = _xml("CompleteMultipartUploadResult", [*made, ("ETag", f'"{metadata.etag}"')])
                return S3Response(headers={**answer.headers, **new_version_headers(metadata)}, body=answer.body)
            case "DELETE", ("uploadId",):
                multipart.abort_upload(self.store, bucket, request.key, request.query["uploadId"])
                return S3Response(204)
            case method, subresource:
                raise not_implemented(f"{method} of an object's {', '.join(subresource) or 'content'}")


_XML = {"Content-Type": "application/xml"}


def _xml(name: str, elements: list[Element], *, text: str = "") -> S3Response:
    body = render_document(name, elements)
    return S3Response(headers=_XML, body=body.replace(b"></", f">{text}</".encode()) if text else body)


def _not_allowed() -> S3Error:
    return S3Error("MethodNotAllowed", "The specified method is not allowed against this resource.", status=405)


def _size(headers: Mapping[str, str]) -> int | None:
    """Return the size that a completed upload shall have, None where the request does not say."""
    text = headers.get("x-amz-mp-object-size")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise S3Error("InvalidRequest", "Value for x-amz-mp-object-size header is invalid.")
    return int(text)


def new_request_id() -> str:
    """Return an id for a request, of the form that S3's have."""
    return uuid.uuid4().hex[:16].upper()
