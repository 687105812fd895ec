"""Parses S3 requests: the bucket, the key, and the operation."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, unquote_to_bytes

from msgspec import Struct

from formwork.object_store.errors import S3Error

# Parts of S3 beside objects: a query with one of these asks for something else than the bucket or the object itself.
_SUBRESOURCES = frozenset(
    {
        "accelerate",
        "acl",
        "analytics",
        "attributes",
        "cors",
        "delete",
        "encryption",
        "intelligent-tiering",
        "inventory",
        "legal-hold",
        "lifecycle",
        "location",
        "logging",
        "metadataTable",
        "metrics",
        "notification",
        "object-lock",
        "ownershipControls",
        "partNumber",
        "policy",
        "policyStatus",
        "publicAccessBlock",
        "replication",
        "requestPayment",
        "restore",
        "retention",
        "select",
        "session",
        "tagging",
        "torrent",
        "uploadId",
        "uploads",
        "versionId",
        "versioning",
        "versions",
        "website",
    }
)
_VIRTUAL = re.compile(r"(?P<bucket>[a-z0-9][a-z0-9.-]*?)(?:\.s3(?:[.-][a-z0-9-]+)?)?\.localhost(?::\d+)?", re.ASCII)


class S3Request(Struct, frozen=True):
    """A request to S3, its body aside; `key` is decoded, header names are lower-case."""

    method: str
    bucket: str
    key: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    path: str

    @property
    def subresource(self) -> tuple[str, ...]:
        """Which parts of S3 the query names, sorted."""
        return tuple(sorted(_SUBRESOURCES.intersection(self.query)))

    @property
    def carries_object(self) -> bool:
        """Whether the body is an object's or a part's bytes."""
        if self.method != "PUT" or not self.key or ("x-amz-copy-source" in self.headers and not self.subresource):
            return False
        return self.subresource in ((), ("partNumber", "uploadId"))


def parse_s3_request(method: str, path: str, query: str, headers: Mapping[str, str]) -> S3Request:
    """The request with that raw path and query: the bucket in its host (`bucket.localhost`), or else first in its path.

    Raises:
        S3Error: the path is not UTF-8.
    """
    try:
        text = unquote_to_bytes(path).decode()
    except UnicodeDecodeError:
        raise S3Error("InvalidURI", "Couldn't parse the specified URI.") from None
    virtual = _VIRTUAL.fullmatch(headers.get("host", ""))
    if virtual and virtual["bucket"].partition(".")[0] != "s3":
        bucket, key = virtual["bucket"], text.removeprefix("/")
    else:
        bucket, _, key = text.removeprefix("/").partition("/")
    fields = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=1000))
    return S3Request(method, bucket, key, fields, headers, path)
