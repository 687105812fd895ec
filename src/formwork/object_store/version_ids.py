"""Ids of versions of objects.

S3 recognizes its ids: it distinguishes one that was never given for the object (InvalidArgument) from one whose version
was deleted (NoSuchVersion). Half of an id is therefore a digest of the object's name and of the other half.
"""

import hashlib
import secrets

NULL_VERSION = "null"  # the id of what is stored while versioning is not enabled
_RANDOM_BYTES = 8


def new_version_id(bucket: str, key: str) -> str:
    """Return the id of a new version of an object."""
    random = secrets.token_hex(_RANDOM_BYTES)
    return random + _digest(bucket, key, random)


def is_version_id(bucket: str, key: str, text: str) -> bool:
    """Whether `text` can be the id of a version of the object."""
    random = text[: 2 * _RANDOM_BYTES]
    return text == NULL_VERSION or text[2 * _RANDOM_BYTES :] == _digest(bucket, key, random)


def _digest(bucket: str, key: str, random: str) -> str:
    text = f"{bucket}\0{key}\0{random}".encode(errors="surrogatepass")
    return hashlib.sha256(text).hexdigest()[: 2 * _RANDOM_BYTES]
