"""Packages and logs between the registry and the objects that clients upload."""

import contextlib
import hashlib
import re
from urllib.parse import parse_qs, unquote, urlsplit

from formwork.diagnostics import BadInputError
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ObjectStore, ReceivedBody, is_bucket_name

# What Lambda unpacks at most is 250 MB; a package is smaller.
_MAX_BYTES = 512 * 1024 * 1024
_VIRTUAL = re.compile(r"(?P<bucket>[a-z0-9.-]+?)\.s3[a-z0-9.-]*\.(?:amazonaws\.com(?:\.cn)?|localhost)", re.ASCII)


def fetch_object(store: ObjectStore, *, account: str, url: str) -> bytes:
    """The object at an S3 URL, as `account` may read it: `s3://…`, or `https://…` in either style, ours or AWS's.

    An `https://` URL may name a version of the object: `?versionId=…`.

    Raises:
        BadInputError: the URL is none of S3's, or the object is not there or not the account's.
    """
    place = parse_object_url(url)
    if place is None:
        raise BadInputError.of("package.url", f'"{url}" is not the URL of an S3 object', expected="s3://BUCKET/KEY")
    versions = [] if url.startswith("s3:") else parse_qs(urlsplit(url).query).get("versionId", [])
    return _read(store, account, place, versions[0] if versions else None, url)


def read_object(store: ObjectStore, *, account: str, bucket: str, key: str, version: str | None = None) -> bytes:
    """An object, or a version of it, as `account` may read it.

    Raises:
        BadInputError: the object is not there or not the account's.
    """
    return _read(store, account, (bucket, key), version, f"s3://{bucket}/{key}")


def _read(store: ObjectStore, account: str, place: tuple[str, str], version: str | None, named: str) -> bytes:
    bucket, key = place
    try:
        return store.read(store.expect_bucket(bucket, account=account), key, limit=_MAX_BYTES, version=version)
    except S3Error as error:
        raise BadInputError.of(
            "package.url",
            f'"{named}" can\'t be read: {error.code}: {error.message}',
            hint="upload it to this service's S3: `aws --endpoint-url … s3 cp`",
        ) from error


def parse_object_url(url: str) -> tuple[str, str] | None:
    """Bucket and key of an S3 URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path).removeprefix("/")
    if parts.scheme == "s3":
        bucket, key = parts.netloc, path
    elif parts.scheme in ("http", "https"):
        virtual = _VIRTUAL.fullmatch(parts.hostname or "")
        bucket, key = (virtual["bucket"], path) if virtual else path.partition("/")[::2]
    else:
        return None
    return (bucket, key) if is_bucket_name(bucket) and key else None


def deliver_object(store: ObjectStore, *, account: str, bucket: str, key: str, content: bytes) -> None:
    """Put a file into a bucket of the account's.

    Raises:
        BadInputError: the bucket does not exist, or another account has it.
    """
    try:
        found = store.expect_bucket(bucket, account=account)
    except S3Error as error:
        raise BadInputError.of("package.bucket", f'the bucket "{bucket}": {error.code}: {error.message}') from error
    path = store.new_file()
    try:
        path.write_bytes(content)
        digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
        store.put(found, key, ReceivedBody(path, len(content), digest, {}), {"content-type": "application/zip"})
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
