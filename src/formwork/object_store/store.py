"""Buckets and objects in a folder.

    objects/<bucket>/bucket.json                   its account, Region, time of creation and versioning
    objects/<bucket>/objects/ab/<hash>             an object, by the SHA-256 of its key: its version "null"
    objects/<bucket>/versions/ab/<hash>/<version>  another version of it, by its order and its id
    objects/<bucket>/uploads/<id>/…                a multipart upload on its way

No file moves when the versioning of a bucket is enabled or suspended. Everything is written under a `.making-` name and
renamed, so that a kill leaves the old state or the new one.
"""

import hashlib
import itertools
import json
import re
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from formwork.object_store.errors import (
    S3Error,
    access_denied,
    delete_marker,
    invalid_version,
    no_such_bucket,
    no_such_key,
    no_such_version,
)
from formwork.object_store.object_file import ObjectMetadata, read_metadata, write_metadata
from formwork.object_store.version_ids import NULL_VERSION, is_version_id, new_version_id

MAKING = ".making-"
ENABLED = "Enabled"
SUSPENDED = "Suspended"
_NAME = re.compile(r"(?=.{3,63}\Z)[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9]))*[a-z0-9]", re.ASCII)
_IPV4 = re.compile(r"\d+\.\d+\.\d+\.\d+", re.ASCII)
_MAX_KEY_BYTES = 1024
_ORDER_DIGITS = 20


class Bucket(Struct, frozen=True):
    """A bucket; `created` in seconds since the epoch, `versioning` ENABLED, SUSPENDED, or empty if it never was.

    `declared` is false of a bucket that a client created, not a stack: no stack needs to be asked about it.
    """

    name: str
    account: str
    region: str
    created: float
    versioning: str = ""
    declared: bool = True


class DeclaredBucket(Struct, frozen=True):
    """A bucket that a stack of the account declares; `versioning` as of `Bucket`."""

    region: str
    versioning: str = ""


class Deletion(Struct, frozen=True):
    """The result of a deletion: the deleted `version`, or that of a new delete `marker`; None without versioning."""

    version: str | None = None
    marker: bool = False


class ReceivedBody(Struct, frozen=True):
    """The body of an object or a part, on disk below the store's folder; `md5` in hexadecimal."""

    path: Path
    size: int
    md5: str
    checksums: dict[str, str]


class ObjectStore:
    """Buckets of all accounts, below one folder. Safe to use from several threads."""

    def __init__(self, root: Path) -> None:
        """`root` is made when something is stored."""
        self.root = root
        # (bucket, account) → the bucket of that name that a stack of the account declares.
        self.find_declared: Callable[[str, str], DeclaredBucket | None] = lambda _name, _account: None

    def new_file(self) -> Path:
        """A path to write a body to, not there yet."""
        self.root.mkdir(parents=True, exist_ok=True)
        return self.root / f"{MAKING}{uuid.uuid4().hex}"

    def create_bucket(self, name: str, *, account: str, region: str) -> Bucket:
        """Make a bucket; nothing is done where the account has it already.

        Raises:
            S3Error: the name is not valid, or another account has the bucket.
        """
        if not is_bucket_name(name):
            raise S3Error("InvalidBucketName", "The specified bucket is not valid.")
        found = self._bucket(name)
        if found is None:
            return self._make_bucket(Bucket(name, account, region, time.time(), declared=False))
        if found.account != account:
            raise S3Error(
                "BucketAlreadyExists",
                "The requested bucket name is not available. The bucket namespace is shared by all users of the system."
                " Please select a different name and try again.",
                status=409,
            )
        if region != "us-east-1":  # which answers as if it had been made just now
            raise S3Error(
                "BucketAlreadyOwnedByYou",
                "Your previous request to create the named bucket succeeded and you already own it.",
                status=409,
            )
        return found

    def expect_bucket(self, name: str, *, account: str) -> Bucket:
        """The bucket of that name.

        Raises:
            S3Error: there is none, or it belongs to another account.
        """
        found = self._bucket(name)
        if found is not None and found.account != account:
            raise access_denied()
        if found is not None and (found.versioning or not found.declared):
            return found
        declared = self.find_declared(name, account)
        if found is None:
            if declared is None:
                raise no_such_bucket()
            found = self._make_bucket(Bucket(name, account, declared.region, time.time()))
        if declared is not None and declared.versioning:
            return replace(found, versioning=declared.versioning)
        # A stack that declared versioning and no longer does has suspended it.
        return replace(found, versioning=SUSPENDED) if self._versions(found).is_dir() else found

    def set_versioning(self, bucket: Bucket, status: str) -> None:
        """Enable or suspend the versioning of a bucket; this takes precedence over what a stack declares."""
        path = self.new_file()
        path.write_text(_bucket_text(replace(bucket, versioning=status)), encoding="utf-8")
        path.replace(self.root / bucket.name / "bucket.json")

    def buckets(self, account: str) -> list[Bucket]:
        """The account's buckets, by name."""
        names = sorted(each.name for each in self.root.iterdir()) if self.root.is_dir() else []
        return [found for name in names if (found := self._bucket(name)) is not None and found.account == account]

    def delete_bucket(self, bucket: Bucket) -> None:
        """Delete an empty bucket.

        Raises:
            S3Error: it holds objects, or versions of them.
        """
        if next(self._stored(bucket), None) is not None:
            more = ". You must delete all versions in the bucket." if bucket.versioning else ""
            raise S3Error("BucketNotEmpty", f"The bucket you tried to delete is not empty{more}", status=409)
        gone = self.new_file()
        (self.root / bucket.name).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def put(self, bucket: Bucket, key: str, body: ReceivedBody, headers: dict[str, str]) -> ObjectMetadata:
        """Keep a body that has been received as an object, or as the current version of it."""
        version, order = self.next_version(bucket, key)
        metadata = ObjectMetadata(
            key, body.size, body.md5, time.time(), headers, body.checksums, version=version, order=order
        )
        with body.path.open("ab") as file:
            write_metadata(file, metadata)
        self.settle(bucket, body.path, metadata)
        return metadata

    def next_version(self, bucket: Bucket, key: str) -> tuple[str, int]:
        """Return the id and the order of a version of an object that is to be written."""
        order = time.time_ns()
        if bucket.versioning:  # after the others, also if the clock was set back
            order = max([order, *(1 + each for each, _ in self._orders(bucket, key))])
        return new_version_id(bucket.name, key) if bucket.versioning == ENABLED else NULL_VERSION, order

    def settle(self, bucket: Bucket, path: Path, metadata: ObjectMetadata) -> None:
        """Make the finished file `path` the version of an object that its metadata names."""
        place = self._place(bucket, metadata.key)
        if metadata.version != NULL_VERSION:
            place = self._versions(bucket, metadata.key) / f"{metadata.order:0{_ORDER_DIGITS}}-{metadata.version}"
        place.parent.mkdir(parents=True, exist_ok=True)
        path.replace(place)

    def open(self, bucket: Bucket, key: str, version: str | None = None) -> tuple[ObjectMetadata, BinaryIO]:
        """An object's metadata, and the file that begins with its bytes, for the caller to close.

        Raises:
            S3Error: the object or the version does not exist, or it is a delete marker.
        """
        metadata, file = self._open_latest(bucket, key) if version is None else self._open(bucket, key, version)
        if metadata.deleted:
            file.close()
            if version is None:
                raise no_such_key(metadata.version)
            raise delete_marker(version, formatdate(metadata.modified, usegmt=True))
        return metadata, file

    def read(self, bucket: Bucket, key: str, *, limit: int, version: str | None = None) -> bytes:
        """The bytes of an object, or of a version of it.

        Raises:
            S3Error: there is none, or it has more than `limit` bytes.
        """
        metadata, file = self.open(bucket, key, version)
        with file:
            if metadata.size > limit:
                raise S3Error("EntityTooLarge", f"The object has {metadata.size:,} bytes, and {limit:,} are the most.")
            file.seek(0)
            return file.read(metadata.size)

    def delete(self, bucket: Bucket, key: str, version: str | None = None) -> Deletion:
        """Delete an object, if it exists: a version of it, or else with a delete marker if the bucket has versions.

        Raises:
            S3Error: the version's id was not given for this object.
        """
        if version is not None:
            return self._delete_version(bucket, key, version)
        if not bucket.versioning:
            self._place(bucket, key).unlink(missing_ok=True)
            return Deletion()
        new, order = self.next_version(bucket, key)
        metadata = ObjectMetadata(key, 0, "", time.time(), {}, {}, version=new, order=order, deleted=True)
        path = self.new_file()
        try:
            with path.open("xb") as file:
                write_metadata(file, metadata)
            self.settle(bucket, path, metadata)
        finally:
            path.unlink(missing_ok=True)
        return Deletion(new, marker=True)

    def metadata(self, bucket: Bucket) -> Iterator[ObjectMetadata]:
        """The metadata of all objects of a bucket, in no order."""
        if not bucket.versioning:
            yield from self._stored(bucket)
            return
        for versions in self.versions(bucket).values():
            if not versions[0].deleted:
                yield versions[0]

    def versions(self, bucket: Bucket) -> dict[str, list[ObjectMetadata]]:
        """The metadata of all versions and delete markers by key, the current one of each first."""
        found: dict[str, list[ObjectMetadata]] = {}
        for metadata in self._stored(bucket):
            found.setdefault(metadata.key, []).append(metadata)
        for versions in found.values():
            versions.sort(key=lambda each: (each.order, each.version), reverse=True)
        return found

    def uploads(self, bucket: Bucket) -> Path:
        """The folder of its multipart uploads."""
        return self.root / bucket.name / "uploads"

    def _bucket(self, name: str) -> Bucket | None:
        if not is_bucket_name(name):
            return None
        try:
            values = json.loads((self.root / name / "bucket.json").read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Bucket(name, *values)  # those of earlier versions have fewer

    def _make_bucket(self, bucket: Bucket) -> Bucket:
        folder = self.new_file()
        folder.mkdir()
        (folder / "bucket.json").write_text(_bucket_text(bucket), encoding="utf-8")
        try:
            folder.rename(self.root / bucket.name)
        except OSError:  # another thread or process made it at the same moment
            shutil.rmtree(folder, ignore_errors=True)
            return self.expect_bucket(bucket.name, account=bucket.account)
        return bucket

    def _open_latest(self, bucket: Bucket, key: str) -> tuple[ObjectMetadata, BinaryIO]:
        while True:
            orders = self._orders(bucket, key) if bucket.versioning else [(0, self._place(bucket, key))]
            latest = max(orders, default=None)
            opened = None if latest is None else _open(latest[1])
            if opened is not None:
                return opened
            if latest is None or not bucket.versioning:
                raise no_such_key()
            # This version was deleted after it was found: another one is the current one.

    def _open(self, bucket: Bucket, key: str, version: str) -> tuple[ObjectMetadata, BinaryIO]:
        if not is_version_id(bucket.name, key, version):
            raise invalid_version(version)
        path = self._find(bucket, key, version)
        opened = None if path is None else _open(path)
        if opened is None:
            raise no_such_version(key, version) if bucket.versioning else no_such_key()
        return opened

    def _delete_version(self, bucket: Bucket, key: str, version: str) -> Deletion:
        try:
            metadata, file = self._open(bucket, key, version)
        except S3Error as error:
            if error.status != 404:
                raise
            marker = False
        else:
            file.close()
            marker = metadata.deleted
        path = self._find(bucket, key, version)
        if path is not None:
            path.unlink(missing_ok=True)
        return Deletion(version if bucket.versioning else None, marker=marker)

    def _find(self, bucket: Bucket, key: str, version: str) -> Path | None:
        if version == NULL_VERSION:
            return self._place(bucket, key)
        return next((path for _, path in self._numbered(bucket, key) if path.name.endswith(f"-{version}")), None)

    def _orders(self, bucket: Bucket, key: str) -> Iterator[tuple[int, Path]]:
        """The orders of an object's versions, and their files."""
        plain = self._place(bucket, key)
        opened = _open(plain)
        if opened is not None:
            opened[1].close()
            yield opened[0].order, plain
        yield from self._numbered(bucket, key)

    def _numbered(self, bucket: Bucket, key: str) -> Iterator[tuple[int, Path]]:
        folder = self._versions(bucket, key)
        for path in folder.iterdir() if folder.is_dir() else ():
            yield int(path.name[:_ORDER_DIGITS]), path

    def _stored(self, bucket: Bucket) -> Iterator[ObjectMetadata]:
        folder = self.root / bucket.name
        for path in itertools.chain((folder / "objects").glob("??/*"), (folder / "versions").glob("??/*/*")):
            opened = None if path.name.startswith(MAKING) else _open(path)
            if opened is not None:
                opened[1].close()
                yield opened[0]

    def _versions(self, bucket: Bucket, key: str | None = None) -> Path:
        folder = self.root / bucket.name / "versions"
        return folder if key is None else folder / self._place(bucket, key).parent.name / self._place(bucket, key).name

    def _place(self, bucket: Bucket, key: str) -> Path:
        if not key or len(key.encode(errors="surrogatepass")) > _MAX_KEY_BYTES:
            raise S3Error("KeyTooLongError", "Your key is too long")
        name = hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()
        return self.root / bucket.name / "objects" / name[:2] / name


def _open(path: Path) -> tuple[ObjectMetadata, BinaryIO] | None:
    """Return the metadata in a file, and the open file; None if it does not exist."""
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return read_metadata(file), file
    except BaseException:
        file.close()
        raise


def _bucket_text(bucket: Bucket) -> str:
    return json.dumps([bucket.account, bucket.region, bucket.created, bucket.versioning, bucket.declared])


def is_bucket_name(name: str) -> bool:
    """Return whether S3 accepts the name for a bucket; such a name is safe in a path."""
    return _NAME.fullmatch(name) is not None and _IPV4.fullmatch(name) is None
