"""Versions in the object store itself: what several threads see, and whom it asks about buckets."""

import hashlib
import threading

import pytest

from formwork.object_store.errors import S3Error
from formwork.object_store.store import ENABLED, SUSPENDED, DeclaredBucket, ObjectStore, ReceivedBody

ACCOUNT = "111111111111"


def put(store, bucket, content, key="k"):
    path = store.new_file()
    path.write_bytes(content)
    return store.put(bucket, key, ReceivedBody(path, len(content), hashlib.md5(content).hexdigest(), {}), {})


@pytest.mark.parametrize("status", [ENABLED, SUSPENDED])
def test_an_object_exists_while_its_versions_come_and_go(tmp_path, status):
    store = ObjectStore(tmp_path)
    store.create_bucket("b-1", account=ACCOUNT, region="us-east-1")
    store.set_versioning(store.expect_bucket("b-1", account=ACCOUNT), ENABLED)
    first = put(store, store.expect_bucket("b-1", account=ACCOUNT), b"first")
    store.set_versioning(store.expect_bucket("b-1", account=ACCOUNT), status)
    bucket = store.expect_bucket("b-1", account=ACCOUNT)
    problems = []

    def write():
        for number in range(60):
            made = put(store, bucket, b"%d" % number)
            store.delete(bucket, "k", made.version)

    def read():
        for _ in range(200):
            try:
                store.read(bucket, "k", limit=100)
            except S3Error as error:
                problems.append(error)

    threads = [threading.Thread(target=each) for each in (write, write, read, read)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert problems == []
    assert [each.version for each in store.versions(bucket)["k"]] == [first.version]


def test_stacks_are_asked_about_buckets_that_they_declare_only(tmp_path):
    store = ObjectStore(tmp_path)
    asked = []

    def find(name, account):
        asked.append((name, account))
        return DeclaredBucket("eu-west-1", ENABLED) if name == "declared" else None

    store.find_declared = find
    store.create_bucket("made", account=ACCOUNT, region="us-east-1")
    assert store.expect_bucket("made", account=ACCOUNT).versioning == ""
    assert asked == []
    for _ in range(2):
        found = store.expect_bucket("declared", account=ACCOUNT)
        assert (found.region, found.versioning) == ("eu-west-1", ENABLED)
    store.set_versioning(found, SUSPENDED)
    assert store.expect_bucket("declared", account=ACCOUNT).versioning == SUSPENDED
    assert asked == [("declared", ACCOUNT)] * 2
