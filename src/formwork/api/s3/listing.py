"""Lists the objects of a bucket in pages: ListObjectsV2, and the same for version 1."""

import base64
from collections.abc import Mapping
from urllib.parse import quote

from formwork.api.s3.documents import Element, time_text
from formwork.object_store.errors import S3Error
from formwork.object_store.object_file import ObjectMetadata
from formwork.object_store.store import Bucket, ObjectStore

_PAGE = 1000


def list_objects(store: ObjectStore, bucket: Bucket, query: Mapping[str, str]) -> list[Element]:
    """Return the elements of a ListBucketResult.

    Raises:
        S3Error: max-keys is not a number, or the token is not one of this service's.
    """
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
    second = query.get("list-type") == "2"
    most = page_size(query)
    after = _start(query, second=second)
    objects = [each for each in store.metadata(bucket) if each.key.startswith(prefix)]
    entries = _entries(objects, prefix, delimiter)
    left = sorted((name, metadata) for name, metadata in entries.items() if name > after)
    page, more = left[:most], len(left) > most
    url = query.get("encoding-type") == "url"

    def text(key: str) -> str:
        return quote(key, safe="/-_.~") if url else key

    found: list[Element] = [("Name", bucket.name), ("Prefix", text(prefix)), ("MaxKeys", str(most))]
    found += [("EncodingType", "url")] if url else []
    found += [("Delimiter", text(delimiter))] if delimiter else []
    found.append(("IsTruncated", "true" if more else "false"))
    if second:
        found.append(("KeyCount", str(len(page))))
        found += [("ContinuationToken", query["continuation-token"])] if "continuation-token" in query else []
        found += [("NextContinuationToken", _token(page[-1][0]))] if more and page else []
    else:
        found.append(("Marker", text(query.get("marker", ""))))
        found += [("NextMarker", text(page[-1][0]))] if more and page else []
    owner = bucket.account if not second or query.get("fetch-owner", "").lower() == "true" else None
    found += [
        ("Contents", object_elements(metadata, text(name), owner)) for name, metadata in page if metadata is not None
    ]
    found += [("CommonPrefixes", [("Prefix", text(name))]) for name, metadata in page if metadata is None]
    return found


def take_buckets(buckets: list[Bucket], query: Mapping[str, str]) -> tuple[list[Bucket], bool]:
    """Return the page of an account's buckets that ListBuckets asks for, and whether there are more.

    Raises:
        S3Error: max-buckets is not a number.
    """
    prefix, region, after = query.get("prefix", ""), query.get("bucket-region"), query.get("continuation-token", "")
    left = [
        each for each in buckets if each.name.startswith(prefix) and region in {None, each.region} and each.name > after
    ]
    most = _max_keys(query["max-buckets"]) if "max-buckets" in query else len(left)
    return left[:most], len(left) > most


def _entries(objects: list[ObjectMetadata], prefix: str, delimiter: str) -> dict[str, ObjectMetadata | None]:
    """Yield keys with their objects, and common prefixes with None."""
    found: dict[str, ObjectMetadata | None] = {}
    for metadata in objects:
        rest = metadata.key[len(prefix) :]
        head, cut, _ = rest.partition(delimiter) if delimiter else (rest, "", "")
        if cut:
            found[prefix + head + cut] = None
        else:
            found[metadata.key] = metadata
    return found


def page_size(query: Mapping[str, str]) -> int:
    """Return the most entries that a request for a list wants.

    Raises:
        S3Error: max-keys is not a number.
    """
    return _max_keys(query.get("max-keys", str(_PAGE)))


def owner_element(account: str) -> Element:
    """Return the element about an object's owner."""
    return "Owner", [("DisplayName", account), ("ID", account)]


def object_elements(metadata: ObjectMetadata, key: str, owner: str | None) -> list[Element]:
    """Return the elements about an object in a list; without its `owner` where that is None."""
    told = [] if owner is None else [owner_element(owner)]
    return [
        ("Key", key),
        ("LastModified", time_text(metadata.modified)),
        ("ETag", f'"{metadata.etag}"'),
        ("Size", str(metadata.size)),
        ("StorageClass", metadata.headers.get("x-amz-storage-class", "STANDARD")),
        *told,
    ]


def _max_keys(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise S3Error("InvalidArgument", "Provided max-keys not an integer or within integer range")
    return min(int(text), _PAGE)


def _start(query: Mapping[str, str], *, second: bool) -> str:
    if not second:
        return query.get("marker", "")
    if "continuation-token" not in query:
        return query.get("start-after", "")
    try:
        return base64.urlsafe_b64decode(query["continuation-token"]).decode()
    except ValueError:
        raise S3Error("InvalidArgument", "The continuation token provided is incorrect") from None


def _token(key: str) -> str:
    return base64.urlsafe_b64encode(key.encode()).decode()
