"""Headers of an upload that are stored with the object and returned with it."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

# How an object is stored; a copy never takes these from its source.
OF_PLACE = frozenset(
    {
        "x-amz-server-side-encryption",
        "x-amz-server-side-encryption-aws-kms-key-id",
        "x-amz-server-side-encryption-bucket-key-enabled",
        "x-amz-storage-class",
        "x-amz-website-redirect-location",
    }
)
_DESCRIPTIONS = ("cache-control", "content-disposition", "content-language", "content-type", "expires")


def stored_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return those of a request's headers (lower-case names) that are stored with the object that it writes."""
    kept = {name: headers[name] for name in (*_DESCRIPTIONS, *sorted(OF_PLACE)) if name in headers}
    encodings = [each.strip() for each in headers.get("content-encoding", "").split(",")]
    if plain := ", ".join(each for each in encodings if each and each != "aws-chunked"):
        kept["content-encoding"] = plain
    if tags := parse_qsl(headers.get("x-amz-tagging", ""), keep_blank_values=True):
        kept["x-amz-tagging-count"] = str(len(tags))
    return kept | {name: value for name, value in headers.items() if name.startswith("x-amz-meta-")}
