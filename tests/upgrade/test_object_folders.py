"""Folders of objects that earlier code wrote: read, versioned and finished by today's."""

import hashlib
import shutil

import pytest

from formwork.object_store.multipart import UploadedPart, WantedObject, complete_upload
from formwork.object_store.store import ENABLED, ObjectStore, ReceivedBody
from support.corpus import REPOSITORY

ACCOUNT = "123456789012"
PART = b"a part"


@pytest.fixture
def store(tmp_path):
    shutil.copytree(REPOSITORY / "tests/data/object_folders/unversioned", tmp_path / "objects")
    return ObjectStore(tmp_path / "objects")


def bucket(store):
    return store.expect_bucket("packages", account=ACCOUNT)


def put(store, key, content):
    path = store.new_file()
    path.write_bytes(content)
    return store.put(bucket(store), key, ReceivedBody(path, len(content), "", {}), {})


def test_objects_become_the_version_null(store):
    assert bucket(store).versioning == ""
    assert store.read(bucket(store), "a/key", limit=100) == b"of before"
    store.set_versioning(bucket(store), ENABLED)
    made = put(store, "a/key", b"of after")
    assert store.read(bucket(store), "a/key", limit=100) == b"of after"
    assert store.read(bucket(store), "a/key", limit=100, version="null") == b"of before"
    assert [each.version for each in store.versions(bucket(store))["a/key"]] == [made.version, "null"]
    store.delete(bucket(store), "a/key", made.version)
    assert store.read(bucket(store), "a/key", limit=100) == b"of before"


@pytest.mark.parametrize("status", ["", ENABLED])
def test_an_upload_that_was_begun_is_completed(store, status):
    if status:
        store.set_versioning(bucket(store), status)
    (upload,) = store.uploads(bucket(store)).iterdir()
    part = UploadedPart(1, hashlib.md5(PART).hexdigest())
    made = complete_upload(store, bucket(store), "joined", upload.name, WantedObject([part]))
    assert store.read(bucket(store), "joined", limit=100) == PART
    assert (made.version == "null") is (not status)
