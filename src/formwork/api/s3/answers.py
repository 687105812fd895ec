"""Responses of the small S3."""

from typing import BinaryIO

from msgspec import Struct, field


class FileSlice(Struct, frozen=True):
    """A piece of an open file, which the endpoint closes after sending it."""

    file: BinaryIO
    start: int
    length: int


class S3Response(Struct, frozen=True):
    """A response; that to a HEAD request has `body` for its length only."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | FileSlice = b""

    @property
    def length(self) -> int:
        """Bytes of the body."""
        return self.body.length if isinstance(self.body, FileSlice) else len(self.body)
