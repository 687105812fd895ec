"""S3 URLs, and the objects that they name."""

import pytest

from formwork.diagnostics import BadInputError
from formwork.object_store.store import ENABLED, ObjectStore, is_bucket_name
from formwork.object_store.urls import deliver_object, fetch_object, parse_object_url, read_object


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("s3://bucket/a/key.zip", ("bucket", "a/key.zip")),
        ("s3://bucket/a%20key", ("bucket", "a key")),
        ("https://bucket.s3.eu-west-1.amazonaws.com/key", ("bucket", "key")),
        ("https://bucket.s3.amazonaws.com/key?versionId=1", ("bucket", "key")),
        ("https://s3.amazonaws.com/bucket/key", ("bucket", "key")),
        ("http://127.0.0.1:3001/bucket/key", ("bucket", "key")),
        ("http://bucket.s3.localhost:3001/key", ("bucket", "key")),
        ("s3://bucket", None),
        ("s3://../key", None),
        ("s3://Bucket_/key", None),
        ("file:///etc/passwd", None),
        ("/etc/passwd", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_urls_of_packages(url, place):
    assert parse_object_url(url) == place


def test_a_package_is_its_account_s(tmp_path):
    store = ObjectStore(tmp_path)
    store.create_bucket("packages", account="111111111111", region="us-east-1")
    deliver_object(store, account="111111111111", bucket="packages", key="k", content=b"data")
    assert fetch_object(store, account="111111111111", url="s3://packages/k") == b"data"
    with pytest.raises(BadInputError, match="AccessDenied"):
        fetch_object(store, account="222222222222", url="s3://packages/k")
    with pytest.raises(BadInputError, match="NoSuchKey"):
        fetch_object(store, account="111111111111", url="s3://packages/other")
    with pytest.raises(BadInputError, match="is not the URL of an S3 object"):
        fetch_object(store, account="111111111111", url="file:///etc/passwd")
    with pytest.raises(BadInputError, match="NoSuchBucket"):
        deliver_object(store, account="111111111111", bucket="absent", key="k", content=b"")


def test_versions_of_packages(tmp_path):
    store, account = ObjectStore(tmp_path), "111111111111"
    store.create_bucket("packages", account=account, region="us-east-1")
    store.set_versioning(store.expect_bucket("packages", account=account), ENABLED)
    for content in (b"1", b"2"):
        deliver_object(store, account=account, bucket="packages", key="a#b%25?c", content=content)
    second, first = store.versions(store.expect_bucket("packages", account=account))["a#b%25?c"]
    url = "https://packages.s3.amazonaws.com/a%23b%2525%3Fc"
    assert fetch_object(store, account=account, url=url) == b"2"
    assert fetch_object(store, account=account, url=f"{url}?versionId={first.version}&x=1") == b"1"
    named = {"account": account, "bucket": "packages", "key": "a#b%25?c"}
    assert [read_object(store, **named, version=each.version) for each in (first, second)] == [b"1", b"2"]
    with pytest.raises(BadInputError, match="InvalidArgument: Invalid version id specified"):
        fetch_object(store, account=account, url=f"{url}?versionId=other")


@pytest.mark.parametrize("name", ["..", "a/b", "A-b-c", "-abc", "abc-", "a..b", "1.2.3.4", "ab", "a" * 64, "", "a.b.-"])
def test_names_that_are_no_bucket_s(name):
    assert not is_bucket_name(name)
