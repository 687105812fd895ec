"""Versions of objects in the small S3, as boto3 uses them. What AWS answers is as recorded of it."""

import hashlib

import pytest
from boto3.s3.transfer import TransferConfig
from botocore.exceptions import ClientError

from support.api import serve_api

BUCKET = "versions"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serve_api(tmp_path_factory.mktemp("state")) as found:
        yield found


@pytest.fixture
def s3(served):
    client = served.client("s3")
    client.create_bucket(Bucket=BUCKET)
    yield client
    listed = client.list_object_versions(Bucket=BUCKET)
    for each in [*listed.get("Versions", []), *listed.get("DeleteMarkers", [])]:
        client.delete_object(Bucket=BUCKET, Key=each["Key"], VersionId=each["VersionId"])
    client.delete_bucket(Bucket=BUCKET)


@pytest.fixture
def versioned(s3):
    switch(s3, "Enabled")
    return s3


def switch(s3, status):
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": status})


def put(s3, body, key="k"):
    return s3.put_object(Bucket=BUCKET, Key=key, Body=body).get("VersionId")


def read(s3, key="k", **more):
    return s3.get_object(Bucket=BUCKET, Key=key, **more)["Body"].read()


def refused(call, **request):
    with pytest.raises(ClientError) as caught:
        call(Bucket=BUCKET, **request)
    error = caught.value.response
    return error["Error"]["Code"], error["ResponseMetadata"]["HTTPStatusCode"]


def listed(s3, **more):
    """Version ids of keys in their order, with * for the current one and - for delete markers."""
    answer = s3.list_object_versions(Bucket=BUCKET, **more)
    found = [(each["Key"], each["VersionId"], "*" * each["IsLatest"]) for each in answer.get("Versions", [])]
    markers = [
        (each["Key"], each["VersionId"], "-" + "*" * each["IsLatest"]) for each in answer.get("DeleteMarkers", [])
    ]
    return found + markers


def test_the_status_of_a_bucket(s3):
    assert "Status" not in s3.get_bucket_versioning(Bucket=BUCKET)
    for status in ("Suspended", "Enabled", "Suspended"):
        switch(s3, status)
        assert s3.get_bucket_versioning(Bucket=BUCKET)["Status"] == status
    for status, code in (("enabled", "MalformedXML"), ("Disabled", "MalformedXML")):
        assert refused(s3.put_bucket_versioning, VersioningConfiguration={"Status": status}) == (code, 400)
    code = "IllegalVersioningConfigurationException"
    assert refused(s3.put_bucket_versioning, VersioningConfiguration={}) == (code, 400)
    with pytest.raises(ClientError, match=r"VersioningConfiguration\.MFADelete"):
        s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled", "MFADelete": "Enabled"})


def test_versions_of_an_object(versioned):
    first, second = put(versioned, b"1"), put(versioned, b"2")
    assert read(versioned) == b"2"
    assert [read(versioned, VersionId=each) for each in (first, second)] == [b"1", b"2"]
    head = versioned.head_object(Bucket=BUCKET, Key="k", VersionId=first)
    assert (head["VersionId"], head["ETag"]) == (first, f'"{hashlib.md5(b"1").hexdigest()}"')
    assert versioned.head_object(Bucket=BUCKET, Key="k", VersionId=first, Range="bytes=0-0")["VersionId"] == first
    assert listed(versioned) == [("k", second, "*"), ("k", first, "")]
    assert versioned.delete_object(Bucket=BUCKET, Key="k", VersionId=second)["VersionId"] == second
    assert read(versioned) == b"1"
    assert [each["Key"] for each in versioned.list_objects_v2(Bucket=BUCKET)["Contents"]] == ["k"]


def test_delete_markers(versioned):
    version = put(versioned, b"1")
    marker = versioned.delete_object(Bucket=BUCKET, Key="k")
    assert marker["DeleteMarker"] is True
    assert refused(versioned.get_object, Key="k") == ("NoSuchKey", 404)
    assert refused(versioned.get_object, Key="k", VersionId=marker["VersionId"]) == ("MethodNotAllowed", 405)
    with pytest.raises(ClientError) as caught:
        versioned.head_object(Bucket=BUCKET, Key="k")
    headers = caught.value.response["ResponseMetadata"]["HTTPHeaders"]
    assert (headers["x-amz-delete-marker"], headers["x-amz-version-id"]) == ("true", marker["VersionId"])
    assert read(versioned, VersionId=version) == b"1"
    assert versioned.list_objects_v2(Bucket=BUCKET)["KeyCount"] == 0
    again = versioned.delete_object(Bucket=BUCKET, Key="k")
    assert listed(versioned) == [("k", version, ""), ("k", again["VersionId"], "-*"), ("k", marker["VersionId"], "-")]
    for each in (again, marker):
        answer = versioned.delete_object(Bucket=BUCKET, Key="k", VersionId=each["VersionId"])
        assert (answer["DeleteMarker"], answer["VersionId"]) == (True, each["VersionId"])
    assert read(versioned) == b"1"
    assert versioned.delete_object(Bucket=BUCKET, Key="never")["DeleteMarker"] is True


def test_versions_that_do_not_exist(versioned):
    version = put(versioned, b"1")
    put(versioned, b"x", key="other")
    versioned.delete_object(Bucket=BUCKET, Key="k", VersionId=version)
    assert refused(versioned.get_object, Key="k", VersionId=version) == ("NoSuchVersion", 404)
    assert refused(versioned.get_object, Key="k", VersionId="null") == ("NoSuchVersion", 404)
    for call in (versioned.get_object, versioned.delete_object):
        for foreign in ("HPniJFCxqTsMuIH9KX8K8wEjNUgmABCD", "../../up", version + "0"):
            assert refused(call, Key="k", VersionId=foreign) == ("InvalidArgument", 400)
        assert refused(call, Key="other", VersionId=version) == ("InvalidArgument", 400)
    assert versioned.delete_object(Bucket=BUCKET, Key="k", VersionId=version)["VersionId"] == version


def test_an_object_from_before_versioning_is_the_version_null(s3):
    assert put(s3, b"0") is None
    assert "VersionId" not in s3.head_object(Bucket=BUCKET, Key="k", VersionId="null")
    assert refused(s3.get_object, Key="k", VersionId="HPniJFCxqTsMuIH9KX8K8wEjNUgmABCD") == ("InvalidArgument", 400)
    assert listed(s3) == [("k", "null", "*")]
    switch(s3, "Enabled")
    assert s3.head_object(Bucket=BUCKET, Key="k")["VersionId"] == "null"
    version = put(s3, b"1")
    assert listed(s3) == [("k", version, "*"), ("k", "null", "")]
    assert read(s3, VersionId="null") == b"0"


def test_a_bucket_whose_versioning_is_suspended(versioned):
    version = put(versioned, b"1")
    switch(versioned, "Suspended")
    assert put(versioned, b"2") is None
    assert versioned.head_object(Bucket=BUCKET, Key="k")["VersionId"] == "null"
    put(versioned, b"3")
    assert listed(versioned) == [("k", "null", "*"), ("k", version, "")]
    assert read(versioned) == b"3"
    deleted = versioned.delete_object(Bucket=BUCKET, Key="k")
    assert (deleted["VersionId"], deleted["DeleteMarker"]) == ("null", True)
    assert listed(versioned) == [("k", version, ""), ("k", "null", "-*")]
    versioned.delete_object(Bucket=BUCKET, Key="k", VersionId="null")
    assert read(versioned) == b"1"


def test_a_bucket_with_versions_is_not_deleted(versioned):
    version = put(versioned, b"1")
    marker = versioned.delete_object(Bucket=BUCKET, Key="k")["VersionId"]
    for each in (version, marker):
        with pytest.raises(ClientError, match="You must delete all versions in the bucket"):
            versioned.delete_bucket(Bucket=BUCKET)
        versioned.delete_object(Bucket=BUCKET, Key="k", VersionId=each)


def test_deletion_of_several(versioned):
    version = put(versioned, b"1")

    def delete(*objects, **more):
        answer = versioned.delete_objects(Bucket=BUCKET, Delete={"Objects": list(objects), **more})
        return answer.get("Deleted", []), answer.get("Errors", [])

    (done, _) = delete({"Key": "k"}, {"Key": "never"})
    assert [(each["Key"], each["DeleteMarker"]) for each in done] == [("k", True), ("never", True)]
    marker = done[0]["DeleteMarkerVersionId"]
    done, failed = delete({"Key": "k", "VersionId": marker}, {"Key": "k", "VersionId": "bad"})
    assert done == [{"Key": "k", "VersionId": marker, "DeleteMarker": True, "DeleteMarkerVersionId": marker}]
    error = {"Code": "NoSuchVersion", "Message": "The specified version does not exist."}
    assert failed == [{"Key": "k", "VersionId": "bad", **error}]
    assert read(versioned) == b"1"
    assert delete({"Key": "k", "VersionId": version}, Quiet=True) == ([], [])
    assert refused(versioned.get_object, Key="k") == ("NoSuchKey", 404)


def test_pages_of_versions(versioned):
    made = {key: [put(versioned, b"x", key=key) for _ in range(3)] for key in ("a/1", "a/2", "b", "ü %")}
    expected = [(key, version) for key, versions in made.items() for version in reversed(versions)]
    for size in (1, 2, 3, 5, 12, 20):
        pages = versioned.get_paginator("list_object_versions").paginate(
            Bucket=BUCKET, PaginationConfig={"PageSize": size}
        )
        found = [(each["Key"], each["VersionId"]) for page in pages for each in page.get("Versions", [])]
        assert found == expected
    with_prefixes = [
        each
        for page in versioned.get_paginator("list_object_versions").paginate(
            Bucket=BUCKET, Delimiter="/", PaginationConfig={"PageSize": 2}
        )
        for each in [*page.get("CommonPrefixes", []), *page.get("Versions", [])]
    ]
    assert [each.get("Prefix") or each["VersionId"] for each in with_prefixes] == [
        "a/",
        *(version for key, version in expected if "/" not in key),
    ]
    assert [key for key, *_ in listed(versioned, Prefix="a/2")] == ["a/2"] * 3
    assert [key for key, *_ in listed(versioned, KeyMarker="a/2")] == ["b"] * 3 + ["ü %"] * 3
    call = versioned.list_object_versions
    assert refused(call, VersionIdMarker="null") == ("InvalidArgument", 400)
    assert refused(call, KeyMarker="b", VersionIdMarker="other") == ("InvalidArgument", 400)
    assert refused(call, EncodingType="rot13") == ("InvalidArgument", 400)


def test_conditions_are_about_the_current_version(versioned):
    first = versioned.put_object(Bucket=BUCKET, Key="k", Body=b"1")
    second = versioned.put_object(Bucket=BUCKET, Key="k", Body=b"2", IfMatch=first["ETag"])
    assert refused(versioned.put_object, Key="k", Body=b"3", IfMatch=first["ETag"]) == ("PreconditionFailed", 412)
    assert read(versioned, VersionId=first["VersionId"], IfMatch=first["ETag"]) == b"1"
    assert refused(versioned.delete_object, Key="k", IfMatch=first["ETag"]) == ("PreconditionFailed", 412)
    versioned.delete_object(Bucket=BUCKET, Key="k", IfMatch=second["ETag"])
    assert refused(versioned.put_object, Key="k", Body=b"3", IfMatch=second["ETag"]) == ("NoSuchKey", 404)
    assert versioned.put_object(Bucket=BUCKET, Key="k", Body=b"3", IfNoneMatch="*")["VersionId"]


def test_an_upload_in_parts_is_a_version(versioned, tmp_path):
    (tmp_path / "big").write_bytes(b"x" * (6 << 20))
    transfer = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
    for _ in range(2):
        versioned.upload_file(str(tmp_path / "big"), BUCKET, "big", Config=transfer)
    (_, current, _), (_, former, _) = listed(versioned)
    assert current != former
    assert versioned.head_object(Bucket=BUCKET, Key="big", VersionId=former, PartNumber=1)["PartsCount"] == 2
    named = {"Bucket": BUCKET, "Key": "big"}
    upload = versioned.create_multipart_upload(**named)["UploadId"]
    etag = versioned.upload_part(**named, UploadId=upload, PartNumber=1, Body=b"x")["ETag"]
    parts = {"Parts": [{"PartNumber": 1, "ETag": etag}]}
    done = versioned.complete_multipart_upload(**named, UploadId=upload, MultipartUpload=parts)
    assert versioned.head_object(**named)["VersionId"] == done["VersionId"]


def test_a_clock_that_is_set_back_does_not_change_what_is_current(versioned, monkeypatch):
    put(versioned, b"1")
    monkeypatch.setattr("time.time_ns", lambda: 5)
    put(versioned, b"2")
    assert read(versioned) == b"2"
    versioned.delete_object(Bucket=BUCKET, Key="k")
    assert refused(versioned.get_object, Key="k") == ("NoSuchKey", 404)


def test_a_copy_of_a_version_is_a_new_version(versioned):
    first, second = put(versioned, b"1", key="a b/ü"), put(versioned, b"2", key="a b/ü")
    source = {"Bucket": BUCKET, "Key": "a b/ü", "VersionId": first}
    made = versioned.copy_object(Bucket=BUCKET, Key="a b/ü", CopySource=source)
    assert made["CopySourceVersionId"] == first
    assert read(versioned, key="a b/ü") == b"1"
    assert [version for _, version, _ in listed(versioned)] == [made["VersionId"], second, first]
    unversioned = versioned.copy_object(Bucket=BUCKET, Key="k", CopySource={"Bucket": BUCKET, "Key": "a b/ü"})
    assert unversioned["CopySourceVersionId"] == made["VersionId"]
    marker = versioned.delete_object(Bucket=BUCKET, Key="k")["VersionId"]
    call = versioned.copy_object
    of_marker = {"Bucket": BUCKET, "Key": "k", "VersionId": marker}
    assert refused(call, Key="j", CopySource=of_marker) == ("InvalidRequest", 400)
    assert refused(call, Key="j", CopySource={"Bucket": BUCKET, "Key": "k"}) == ("NoSuchKey", 404)
    assert refused(call, Key="j", CopySource={**source, "VersionId": "other"}) == ("InvalidArgument", 400)
