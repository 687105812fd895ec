"""Reading requests: the members that every kind has, wrong ones named, unknown ones ignored.

What is wrong with a request is an EnvelopeError, which the entry points answer as InvalidRequest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar

from .credentials import Credentials, parse_credentials

E = TypeVar("E", bound=Enum)

_COMPRESSED = "__COMPRESSED__"
_COMPRESSION_METHOD = "__COMPRESSION_METHOD__"
# Lambda's payload limit is 6 MB; a document that unpacks to more than ten times that is a bomb, not a request.
_UNPACKED_LIMIT = 64 * 1024 * 1024

# Regions of other partitions, by what their names begin with.
_PARTITIONS = (
    ("cn-", "aws-cn"),
    ("us-gov-", "aws-us-gov"),
    ("us-isob-", "aws-iso-b"),
    ("us-isof-", "aws-iso-f"),
    ("us-iso-", "aws-iso"),
    ("eu-isoe-", "aws-iso-e"),
    ("eusc-", "aws-eusc"),
)


class EnvelopeError(ValueError):
    """The request is not one that CloudFormation sends; the message names the member."""


class Members(Mapping[str, Any]):
    """One object of a request and its place in it, read member by member."""

    def __init__(self, value: Any, place: str = "") -> None:
        if not isinstance(value, Mapping):
            raise EnvelopeError(f"{place or 'the request'} must be a JSON object, not {type(value).__name__}")
        self._value = value
        self._place = place

    def __getitem__(self, name: str) -> Any:
        return self._value[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._value)

    def __len__(self) -> int:
        return len(self._value)

    def place(self, name: str) -> str:
        """The member's place in the request, such as `requestData.callerCredentials`."""
        return f"{self._place}.{name}" if self._place else name

    def required(self, name: str) -> str:
        """A text that must be there."""
        value = self.get(name)
        if not isinstance(value, str) or not value:
            raise EnvelopeError(f"the request lacks {self.place(name)}")
        return value

    def text(self, name: str) -> str | None:
        """A text, or None where it is absent."""
        value = self.get(name)
        return None if value is None else str(value)

    def members(self, name: str) -> Members:
        """An object that must be there."""
        if self.get(name) is None:
            raise EnvelopeError(f"the request lacks {self.place(name)}")
        return Members(self[name], self.place(name))

    def object(self, name: str) -> dict[str, Any] | None:
        """A free object, or None where it is absent or null."""
        value = self.get(name)
        return None if value is None else dict(Members(value, self.place(name)))

    def credentials(self, name: str) -> Credentials | None:
        """Credentials, or None where they are absent, null or empty."""
        try:
            return parse_credentials(self.get(name), self.place(name))
        except ValueError as problem:
            raise EnvelopeError(str(problem)) from None

    def one_of(self, name: str, vocabulary: type[E]) -> E:
        """A member of a vocabulary that must be there."""
        value = self.required(name)
        try:
            return vocabulary(value)
        except ValueError:
            known = ", ".join(member.name for member in vocabulary)
            raise EnvelopeError(f"{self.place(name)} is {value!r}, which is none of {known}") from None


def is_enveloped(event: Any) -> bool:
    """Whether a request has CloudFormation's envelope: AWS's `cfn test` sends it to TestEntrypoint, too."""
    return isinstance(event, Mapping) and "requestData" in event and "request" not in event


def unpack(event: Any) -> Members:
    """The request, decompressed where the caller packed it (`gzip_base64`)."""
    members = Members(event)
    if _COMPRESSED not in members:
        return members
    method = members.get(_COMPRESSION_METHOD)
    if method != "gzip_base64":
        raise EnvelopeError(f"{_COMPRESSION_METHOD} is {method!r}; only gzip_base64 is known")
    return Members(_decompress(members.required(_COMPRESSED)))


def _decompress(packed: str) -> Any:
    import base64  # noqa: PLC0415 - only large requests come packed
    import json  # noqa: PLC0415
    import zlib  # noqa: PLC0415

    try:
        stream = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # 16: a gzip header
        text = stream.decompress(base64.b64decode(packed, validate=True), _UNPACKED_LIMIT)
        if not stream.eof:
            raise EnvelopeError(f"{_COMPRESSED} is cut off or unpacks to more than {_UNPACKED_LIMIT} bytes")
        return json.loads(text)
    except (ValueError, zlib.error) as problem:
        if isinstance(problem, EnvelopeError):
            raise
        raise EnvelopeError(f"{_COMPRESSED} is not gzipped JSON in base64") from None


def partition_of(region: str | None) -> str | None:
    """The AWS partition that a region belongs to."""
    if region is None:
        return None
    return next((partition for prefix, partition in _PARTITIONS if region.startswith(prefix)), "aws")
