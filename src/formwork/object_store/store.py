"""Buckets and objects in a folder.

    objects/<bucket>/bucket.json        its account and region
    objects/<bucket>/objects/ab/<hash>  an object, by the SHA-256 of its key
    objects/<bucket>/uploads/<id>/…     a multipart upload on its way

Everything is written under a `.making-` name and renamed, so that a kill leaves the old state or the new one.
"""

import contextlib
import hashlib
import json
import re
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from formwork.object_store.errors import S3Error, access_denied, no_such_bucket, no_such_key
from formwork.object_store.object_file import ObjectMetadata, read_metadata, write_metadata

MAKING = ".making-"
_NAME = re.compile(r"(?=.{3,63}\Z)[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9]))*[a-z0-9]", re.ASCII)
_IPV4 = re.compile(r"\d+\.\d+\.\d+\.\d+", re.ASCII)
_MAX_KEY_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket; `created` in seconds since the epoch."""

    name: str
    account: str
    region: str
    created: float


@dataclass(frozen=True, slots=True)
class ReceivedBody:
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
        # (bucket, account) → the Region of a bucket that the account has declared and that was not used yet.
        self.find_declared: Callable[[str, str], str | None] = lambda _name, _account: None

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
            return self._make_bucket(Bucket(name, account, region, time.time()))
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
        if found is None:
            region = self.find_declared(name, account)
            if region is None:
                raise no_such_bucket()
            return self._make_bucket(Bucket(name, account, region, time.time()))
        if found.account != account:
            raise access_denied()
        return found

    def buckets(self, account: str) -> list[Bucket]:
        """The account's buckets, by name."""
        names = sorted(each.name for each in self.root.iterdir()) if self.root.is_dir() else []
        return [found for name in names if (found := self._bucket(name)) is not None and found.account == account]

    def delete_bucket(self, bucket: Bucket) -> None:
        """Delete an empty bucket.

        Raises:
            S3Error: it holds objects.
        """
        if next(self.metadata(bucket), None) is not None:
            raise S3Error("BucketNotEmpty", "The bucket you tried to delete is not empty", status=409)
        gone = self.new_file()
        (self.root / bucket.name).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def put(self, bucket: Bucket, key: str, body: ReceivedBody, headers: dict[str, str]) -> ObjectMetadata:
        """Keep a body that has been received as an object."""
        metadata = ObjectMetadata(key, body.size, body.md5, time.time(), headers, body.checksums)
        with body.path.open("ab") as file:
            write_metadata(file, metadata)
        self.settle(bucket, body.path, key)
        return metadata

    def settle(self, bucket: Bucket, path: Path, key: str) -> None:
        """Make the finished file `path` the object `key`."""
        place = self._place(bucket, key)
        place.parent.mkdir(parents=True, exist_ok=True)
        path.replace(place)

    def open(self, bucket: Bucket, key: str) -> tuple[ObjectMetadata, BinaryIO]:
        """An object's metadata, and the file that begins with its bytes, for the caller to close.

        Raises:
            S3Error: there is none.
        """
        try:
            file = self._place(bucket, key).open("rb")
        except (FileNotFoundError, NotADirectoryError):
            raise no_such_key() from None
        try:
            return read_metadata(file), file
        except BaseException:
            file.close()
            raise

    def read(self, bucket: Bucket, key: str, *, limit: int) -> bytes:
        """An object's bytes.

        Raises:
            S3Error: there is none, or it has more than `limit` bytes.
        """
        metadata, file = self.open(bucket, key)
        with file:
            if metadata.size > limit:
                raise S3Error("EntityTooLarge", f"The object has {metadata.size:,} bytes, and {limit:,} are the most.")
            file.seek(0)
            return file.read(metadata.size)

    def delete(self, bucket: Bucket, key: str) -> None:
        """Delete an object, if it is there."""
        self._place(bucket, key).unlink(missing_ok=True)

    def metadata(self, bucket: Bucket) -> Iterator[ObjectMetadata]:
        """The metadata of all objects of a bucket, in no order."""
        for path in (self.root / bucket.name / "objects").glob("??/*"):
            if not path.name.startswith(MAKING):
                with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
                    yield read_metadata(file)

    def uploads(self, bucket: Bucket) -> Path:
        """The folder of its multipart uploads."""
        return self.root / bucket.name / "uploads"

    def _bucket(self, name: str) -> Bucket | None:
        if not is_bucket_name(name):
            return None
        try:
            account, region, created = json.loads((self.root / name / "bucket.json").read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Bucket(name, account, region, created)

    def _make_bucket(self, bucket: Bucket) -> Bucket:
        folder = self.new_file()
        folder.mkdir()
        content = [bucket.account, bucket.region, bucket.created]
        (folder / "bucket.json").write_text(json.dumps(content), encoding="utf-8")
        try:
            folder.rename(self.root / bucket.name)
        except OSError:  # another thread or process made it at the same moment
            shutil.rmtree(folder, ignore_errors=True)
            return self.expect_bucket(bucket.name, account=bucket.account)
        return bucket

    def _place(self, bucket: Bucket, key: str) -> Path:
        if not key or len(key.encode(errors="surrogatepass")) > _MAX_KEY_BYTES:
            raise S3Error("KeyTooLongError", "Your key is too long")
        name = hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()
        return self.root / bucket.name / "objects" / name[:2] / name


def is_bucket_name(name: str) -> bool:
    """Whether S3 takes this for a bucket's name; such a name is safe in a path."""
    return _NAME.fullmatch(name) is not None and _IPV4.fullmatch(name) is None
