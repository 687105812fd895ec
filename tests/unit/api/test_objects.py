"""The small S3 as boto3 uses it."""

import base64
import hashlib
import io
import os
import socket
import time
import urllib.error
import urllib.request
import zlib

import pytest
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

from support.api import serve_api


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serve_api(tmp_path_factory.mktemp("state")) as found:
        yield found


@pytest.fixture
def s3(served, request):
    client = served.client("s3")
    client.create_bucket(Bucket="packages")
    yield client
    for each in client.list_objects_v2(Bucket="packages").get("Contents", []):
        client.delete_object(Bucket="packages", Key=each["Key"])
    client.delete_bucket(Bucket="packages")


def code_of(caught):
    error = caught.value.response
    return error["Error"]["Code"], error["ResponseMetadata"]["HTTPStatusCode"]


def test_an_object_there_and_back(s3):
    body = os.urandom(70_000)
    put = s3.put_object(
        Bucket="packages", Key="a b/ä+%.zip", Body=body, ContentType="application/zip", Metadata={"who": "me"}
    )
    assert put["ETag"] == f'"{hashlib.md5(body).hexdigest()}"'
    got = s3.get_object(Bucket="packages", Key="a b/ä+%.zip")
    assert got["Body"].read() == body
    assert (got["ContentType"], got["Metadata"], got["ETag"]) == ("application/zip", {"who": "me"}, put["ETag"])
    head = s3.head_object(Bucket="packages", Key="a b/ä+%.zip")
    assert (head["ContentLength"], head["ETag"]) == (70_000, put["ETag"])
    assert s3.head_bucket(Bucket="packages")["BucketRegion"] == "us-east-1"
    s3.put_object(Bucket="packages", Key="a b/ä+%.zip", Body=b"again")
    assert s3.get_object(Bucket="packages", Key="a b/ä+%.zip")["Body"].read() == b"again"


def test_ranges(s3):
    s3.put_object(Bucket="packages", Key="k", Body=b"0123456789")

    def get(span):
        answer = s3.get_object(Bucket="packages", Key="k", Range=span)
        return answer["Body"].read(), answer.get("ContentRange")

    assert get("bytes=2-4") == (b"234", "bytes 2-4/10")
    assert get("bytes=8-") == (b"89", "bytes 8-9/10")
    assert get("bytes=-3") == (b"789", "bytes 7-9/10")
    assert get("bytes=8-100") == (b"89", "bytes 8-9/10")
    assert get("lines=1-2") == (b"0123456789", None)
    with pytest.raises(ClientError) as caught:
        get("bytes=10-")
    assert code_of(caught) == ("InvalidRange", 416)


def test_an_upload_in_parts_and_a_download_in_ranges(s3, tmp_path):
    body = os.urandom(11 * 1024 * 1024)
    (tmp_path / "big").write_bytes(body)
    transfer = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
    s3.upload_file(str(tmp_path / "big"), "packages", "big", Config=transfer)
    assert s3.head_object(Bucket="packages", Key="big")["ETag"].endswith('-3"')
    s3.download_file("packages", "big", str(tmp_path / "back"), Config=transfer)
    assert (tmp_path / "back").read_bytes() == body
    parts = [s3.get_object(Bucket="packages", Key="big", PartNumber=number) for number in (1, 2, 3)]
    assert b"".join(each["Body"].read() for each in parts) == body
    assert {each["PartsCount"] for each in parts} == {3}
    with pytest.raises(ClientError, match="InvalidPartNumber"):
        s3.get_object(Bucket="packages", Key="big", PartNumber=4)


@pytest.mark.parametrize(
    ("member", "value"),
    [("ACL", "public-read"), ("GrantRead", "id=1"), ("SSECustomerKey", "k" * 32), ("ObjectLockMode", "GOVERNANCE")],
)
def test_what_an_upload_cannot_have_is_named(s3, member, value):
    more = {"SSECustomerAlgorithm": "AES256"} if member == "SSECustomerKey" else {}
    with pytest.raises(ClientError, match="NotImplemented") as caught:
        s3.put_object(Bucket="packages", Key="refused", Body=b"x", **{member: value}, **more)
    assert (member if not more else "SSECustomer") in str(caught.value)


def test_parts_that_do_not_fit(s3):
    upload = s3.create_multipart_upload(Bucket="packages", Key="k")["UploadId"]
    named = {"Bucket": "packages", "Key": "k", "UploadId": upload}
    etag = s3.upload_part(**named, PartNumber=1, Body=b"small")["ETag"]
    second = s3.upload_part(**named, PartNumber=2, Body=b"last")["ETag"]

    def complete(*parts):
        with pytest.raises(ClientError) as caught:
            s3.complete_multipart_upload(
                **named, MultipartUpload={"Parts": [{"PartNumber": number, "ETag": tag} for number, tag in parts]}
            )
        return caught.value.response["Error"]["Code"]

    assert complete((1, etag), (2, second)) == "EntityTooSmall"
    assert complete((2, second), (1, etag)) == "InvalidPartOrder"
    assert complete((1, second)) == "InvalidPart"
    assert complete((3, etag)) == "InvalidPart"
    s3.abort_multipart_upload(**named)
    assert complete((1, etag)) == "NoSuchUpload"
    with pytest.raises(ClientError, match="NoSuchUpload"):
        s3.upload_part(Bucket="packages", Key="k", UploadId="../../x", PartNumber=1, Body=b"")
    with pytest.raises(ClientError, match="InvalidArgument"):
        s3.upload_part(
            **{**named, "UploadId": s3.create_multipart_upload(Bucket="packages", Key="k")["UploadId"]},
            PartNumber=10_001,
            Body=b"",
        )


def test_listing_by_prefix_delimiter_and_page(s3):
    for key in ("a/1", "a/2", "b/1", "c", "d é"):
        s3.put_object(Bucket="packages", Key=key, Body=key.encode())
    found = s3.list_objects_v2(Bucket="packages", Delimiter="/")
    assert [each["Key"] for each in found["Contents"]] == ["c", "d é"]
    assert [each["Prefix"] for each in found["CommonPrefixes"]] == ["a/", "b/"]
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket="packages", PaginationConfig={"PageSize": 2})
    assert [each["Key"] for page in pages for each in page["Contents"]] == ["a/1", "a/2", "b/1", "c", "d é"]
    assert [each["Key"] for each in s3.list_objects(Bucket="packages", Prefix="a/")["Contents"]] == ["a/1", "a/2"]
    s3.delete_objects(Bucket="packages", Delete={"Objects": [{"Key": "a/1"}, {"Key": "absent"}]})
    assert s3.list_objects_v2(Bucket="packages", Prefix="a/")["KeyCount"] == 1


def test_accounts_are_kept_apart(served, s3):
    other = served.client("s3", account="111111111111")
    s3.put_object(Bucket="packages", Key="k", Body=b"x")
    for call in (other.get_object, other.head_object, other.delete_object):
        with pytest.raises(ClientError) as caught:
            call(Bucket="packages", Key="k")
        assert code_of(caught)[1] == 403
    with pytest.raises(ClientError) as caught:
        other.create_bucket(Bucket="packages")
    assert code_of(caught) == ("BucketAlreadyExists", 409)
    with pytest.raises(ClientError) as caught:
        other.put_object(Bucket="packages", Key="k", Body=b"x")
    assert code_of(caught) == ("AccessDenied", 403)
    assert other.list_buckets()["Buckets"] == []


def test_what_is_not_there(s3):
    for call, code in [
        (lambda: s3.get_object(Bucket="packages", Key="k"), ("NoSuchKey", 404)),
        (lambda: s3.head_object(Bucket="packages", Key="k"), ("404", 404)),
        (lambda: s3.get_object(Bucket="absent", Key="k"), ("NoSuchBucket", 404)),
        (lambda: s3.put_object(Bucket="absent", Key="k", Body=b"x" * 5_000_000), ("NoSuchBucket", 404)),
        (lambda: s3.head_bucket(Bucket="absent"), ("404", 404)),
        (lambda: s3.get_bucket_policy(Bucket="packages"), ("NotImplemented", 501)),
        (lambda: s3.get_object_tagging(Bucket="packages", Key="k"), ("NotImplemented", 501)),
        (
            lambda: s3.copy_object(Bucket="packages", Key="k", CopySource={"Bucket": "packages", "Key": "j"}),
            ("NoSuchKey", 404),
        ),
        (
            lambda: s3.copy_object(Bucket="packages", Key="k", CopySource={"Bucket": "absent", "Key": "j"}),
            ("NoSuchBucket", 404),
        ),
        (lambda: s3.create_bucket(Bucket="No.Bucket.Name.."), ("InvalidBucketName", 400)),
    ]:
        with pytest.raises(ClientError) as caught:
            call()
        assert code_of(caught) == code
    s3.put_object(Bucket="packages", Key="k", Body=b"x")
    with pytest.raises(ClientError) as caught:
        s3.delete_bucket(Bucket="packages")
    assert code_of(caught) == ("BucketNotEmpty", 409)


@pytest.mark.parametrize(("algorithm"), ["CRC32", "SHA1", "SHA256"])
def test_checksums(s3, algorithm):
    s3.put_object(Bucket="packages", Key="k", Body=io.BytesIO(b"x" * 100_000), ChecksumAlgorithm=algorithm)
    got = s3.get_object(Bucket="packages", Key="k", ChecksumMode="ENABLED")
    assert got["Body"].read() == b"x" * 100_000
    assert got[f"Checksum{algorithm}"]
    with pytest.raises(ClientError, match="BadDigest"):
        s3.put_object(Bucket="packages", Key="k", Body=b"x", **{f"Checksum{algorithm}": "AAAAAA=="})
    assert s3.get_object(Bucket="packages", Key="k")["Body"].read() == b"x" * 100_000, "what was there stays"


def test_bodies_in_chunks_with_a_trailer(served, s3):
    """As clients send streams over TLS; written by hand, since this server speaks plain HTTP."""
    data = os.urandom(100_000)
    checksum = base64.b64encode(zlib.crc32(data).to_bytes(4, "big"))
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(each), each) for each in (data[:65536], data[65536:]))
    body = chunks + b"0\r\nx-amz-checksum-crc32:" + checksum + b"\r\n\r\n"
    headers = {
        "Authorization": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261121/us-east-1/s3/aws4_request,"
        f" SignedHeaders=host, Signature={'a' * 64}",
        "X-Amz-Date": "20261121T040000Z",
        "X-Amz-Content-SHA256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "X-Amz-Trailer": "x-amz-checksum-crc32",
        "X-Amz-Decoded-Content-Length": "100000",
        "Content-Encoding": "gzip,aws-chunked",
    }
    assert served.send("PUT", "/packages/k", headers=headers, body=body)[0] == 200
    got = s3.get_object(Bucket="packages", Key="k")
    assert got["Body"].read() == data
    assert got["ContentEncoding"] == "gzip"
    for broken, code in [
        (body.replace(checksum, b"AAAAAA=="), b"BadDigest"),
        (body[:-60], b"IncompleteBody"),
        (b"zz\r\n" + body, b"InvalidRequest"),
        (body[:10] + b"x" + body[10:], b"InvalidRequest"),
        (b"1" * 5000, b"InvalidRequest"),
    ]:
        status, _, answer = served.send("PUT", "/packages/k", headers=headers, body=broken)
        assert (status, code in answer) == (400, True), answer
    assert s3.get_object(Bucket="packages", Key="k")["Body"].read() == data


def test_presigned_urls(served, s3):
    s3.put_object(Bucket="packages", Key="k", Body=b"data")
    for version in ("s3", "s3v4"):
        signer = served.client("s3", config=Config(signature_version=version))
        url = signer.generate_presigned_url("get_object", Params={"Bucket": "packages", "Key": "k"})
        with urllib.request.urlopen(url) as answer:
            assert answer.read() == b"data"
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{served.url}/packages/k")
    assert caught.value.code == 403
    assert b"<Code>AccessDenied</Code>" in caught.value.read()


def test_conditions(s3):
    etag = s3.put_object(Bucket="packages", Key="k", Body=b"1", IfNoneMatch="*")["ETag"]
    with pytest.raises(ClientError, match="PreconditionFailed"):
        s3.put_object(Bucket="packages", Key="k", Body=b"2", IfNoneMatch="*")
    assert s3.get_object(Bucket="packages", Key="k", IfMatch=etag)["Body"].read() == b"1"
    with pytest.raises(ClientError, match="PreconditionFailed"):
        s3.get_object(Bucket="packages", Key="k", IfMatch='"other"')
    with pytest.raises(ClientError) as caught:
        s3.get_object(Bucket="packages", Key="k", IfNoneMatch=etag)
    assert code_of(caught)[1] == 304


def test_a_bucket_in_the_host_name(served, s3):
    s3.put_object(Bucket="packages", Key="a/k", Body=b"data")
    signer = served.client("s3", config=Config(signature_version="s3v4", s3={"addressing_style": "path"}))
    url = signer.generate_presigned_url("get_object", Params={"Bucket": "packages", "Key": "a/k"})
    query = url.partition("?")[2]
    for host in ("packages.localhost:3001", "packages.s3.localhost", "packages.s3.us-east-1.localhost"):
        assert served.send("GET", f"/a/k?{query}", headers={"Host": host})[2] == b"data"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<x",
        b'<!DOCTYPE d [<!ENTITY a "b">]><CompleteMultipartUpload/>',
        b"<a>" * 100 + b"</a>" * 100,
        b"<CompleteMultipartUpload><Part><PartNumber>x</PartNumber></Part></CompleteMultipartUpload>",
    ],
)
def test_documents_that_are_none(served, s3, body):
    upload = s3.create_multipart_upload(Bucket="packages", Key="k")["UploadId"]
    url = s3.generate_presigned_url(
        "complete_multipart_upload", Params={"Bucket": "packages", "Key": "k", "UploadId": upload}
    )
    path = url.removeprefix(served.url)
    status, _, answer = served.send("POST", path, body=body)
    assert (status, b"<Code>MalformedXML</Code>" in answer) == (400, True)


def test_a_client_that_goes_amid_its_upload_leaves_nothing(served, s3):
    url = s3.generate_presigned_url("put_object", Params={"Bucket": "packages", "Key": "gone"})
    head = f"PUT {url.removeprefix(served.url)} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port)) as client:
        client.sendall(head.encode() + b"x" * 5000)
        end = time.monotonic() + 60
        while not list(served.objects.glob(".making-*")):
            assert time.monotonic() < end
            time.sleep(0.01)
    with socket.create_connection(("127.0.0.1", served.port)) as client:
        client.sendall(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: CloudApiService.X\r\nContent-Length: 9\r\n\r\n{"
        )
    end = time.monotonic() + 60
    while list(served.objects.glob(".making-*")):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert s3.list_objects_v2(Bucket="packages")["KeyCount"] == 0
    assert served.bugs == []


def test_nothing_is_left_of_what_was_refused(served, s3):
    with pytest.raises(ClientError):
        s3.put_object(Bucket="packages", Key="k", Body=b"x", ContentMD5="AAAAAAAAAAAAAAAAAAAAAA==")
    assert not list(served.objects.rglob(".making-*"))


def test_copies(s3):
    s3.put_object(
        Bucket="packages",
        Key="from",
        Body=b"data",
        ContentType="text/plain",
        Metadata={"a": "b"},
        StorageClass="GLACIER_IR",
        Tagging="x=1",
    )
    source = {"Bucket": "packages", "Key": "from"}
    copied = s3.copy_object(Bucket="packages", Key="to", CopySource=source, ChecksumAlgorithm="SHA256")
    assert copied["CopyObjectResult"]["ETag"] == f'"{hashlib.md5(b"data").hexdigest()}"'
    digest = base64.b64encode(hashlib.sha256(b"data").digest()).decode()
    assert copied["CopyObjectResult"]["ChecksumSHA256"] == digest
    got = s3.get_object(Bucket="packages", Key="to")
    assert (got["Body"].read(), got["ContentType"], got["Metadata"]) == (b"data", "text/plain", {"a": "b"})
    assert (got["TagCount"], got.get("StorageClass")) == (1, None)
    replaced = {"MetadataDirective": "REPLACE", "TaggingDirective": "REPLACE", "Metadata": {"c": "d"}}
    s3.copy_object(Bucket="packages", Key="from", CopySource=source, **replaced)
    got = s3.get_object(Bucket="packages", Key="from")
    assert got["Body"].read() == b"data"
    assert (got["ContentType"], got["Metadata"], got.get("TagCount")) == ("binary/octet-stream", {"c": "d"}, None)
    for more, code in (
        ({"Key": "from"}, ("InvalidRequest", 400)),
        ({"CopySourceIfNoneMatch": got["ETag"]}, ("PreconditionFailed", 412)),
        ({"CopySourceIfMatch": "other"}, ("PreconditionFailed", 412)),
        ({"IfNoneMatch": "*"}, ("PreconditionFailed", 412)),
        ({"ChecksumAlgorithm": "CRC64NVME"}, ("NotImplemented", 501)),
        ({"CopySource": "packages"}, ("InvalidArgument", 400)),
    ):
        with pytest.raises(ClientError) as caught:
            s3.copy_object(**{"Bucket": "packages", "Key": "to", "CopySource": source, **more})
        assert code_of(caught) == code
    s3.copy(source, "packages", "managed")
    assert s3.get_object(Bucket="packages", Key="managed")["Body"].read() == b"data"
