"""S3 URLs, and the objects that they name."""

import pytest

from formwork.diagnostics import BadInputError
from formwork.object_store.store import ObjectStore, is_bucket_name
from formwork.object_store.urls import deliver_object, fetch_object, parse_object_url


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


@pytest.mark.parametrize("name", ["..", "a/b", "A-b-c", "-abc", "abc-", "a..b", "1.2.3.4", "ab", "a" * 64, "", "a.b.-"])
def test_names_that_are_no_bucket_s(name):
    assert not is_bucket_name(name)
