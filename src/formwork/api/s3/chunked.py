"""The `aws-chunked` content encoding: chunks with their lengths, optionally signed, and trailers with checksums.

Source: S3's API reference, "Signature calculations for the Authorization header: transferring a payload in multiple
chunks", and the same with trailers.
"""

import hashlib
import hmac
from collections.abc import Callable

from formwork.object_store.errors import S3Error

_MAX_LINE = 4096
_MAX_TRAILERS = 32


class ChunkSignatures:
    """The chain of signatures over chunks, from the request's own on."""

    def __init__(self, key: bytes, *, timestamp: str, scope: str, first: str) -> None:
        self._key = key
        self._prefix = f"AWS4-HMAC-SHA256-PAYLOAD\n{timestamp}\n{scope}"
        self._previous = first

    def check(self, digest: str, signature: str) -> None:
        """Check the next chunk's signature; `digest` is the SHA-256 of its bytes."""
        empty = hashlib.sha256(b"").hexdigest()
        text = f"{self._prefix}\n{self._previous}\n{empty}\n{digest}"
        expected = hmac.digest(self._key, text.encode(), "sha256").hex()
        if not hmac.compare_digest(expected, signature):
            raise S3Error(
                "SignatureDoesNotMatch", "The signature of a chunk does not match the one we calculated.", status=403
            )
        self._previous = expected


class ChunkedDecoder:
    """Takes the encoded bytes in any pieces, hands the plain ones to `sink`; `trailers` are there at the end."""

    def __init__(self, sink: Callable[[bytes], None], signatures: ChunkSignatures | None = None) -> None:
        self._sink = sink
        self._signatures = signatures
        self._line = bytearray()
        self._left = 0
        self._state = self._size_line
        self._digest = hashlib.sha256()
        self._signature = ""
        self.trailers: dict[str, str] = {}
        self.complete = False

    def feed(self, data: bytes) -> None:
        """Decode more.

        Raises:
            S3Error: the data is not in that encoding, or a chunk's signature is wrong.
        """
        view = memoryview(data)
        while view:
            if self._left:
                piece = bytes(view[: self._left])
                view = view[len(piece) :]
                self._left -= len(piece)
                self._take(piece)
                continue
            end = data.find(b"\n", len(data) - len(view))
            taken = len(view) if end < 0 else end + 1 - (len(data) - len(view))
            self._line += view[:taken]
            view = view[taken:]
            if len(self._line) > _MAX_LINE:
                raise _broken()
            if end >= 0:
                line = bytes(self._line).rstrip(b"\r\n").decode("latin-1")
                self._line.clear()
                self._state(line)

    def _take(self, piece: bytes) -> None:
        if self._signatures is not None:
            self._digest.update(piece)
        self._sink(piece)
        if not self._left:
            self._end_chunk()
            self._state = self._after_chunk

    def _end_chunk(self) -> None:
        if self._signatures is not None:
            self._signatures.check(self._digest.hexdigest(), self._signature)
            self._digest = hashlib.sha256()

    def _size_line(self, line: str) -> None:
        size, _, extension = line.partition(";")
        if not size or len(size) > 9 or size.strip("0123456789abcdefABCDEF"):
            raise _broken()
        self._signature = extension.partition("=")[2]
        self._left = int(size, 16)
        if not self._left:
            self._end_chunk()
            self.complete = True
            self._state = self._trailer

    def _after_chunk(self, line: str) -> None:
        if line:
            raise _broken()
        self._state = self._size_line

    def _trailer(self, line: str) -> None:
        name, colon, value = line.partition(":")
        if colon and len(self.trailers) < _MAX_TRAILERS:
            self.trailers[name.strip().lower()] = value.strip()


def _broken() -> S3Error:
    return S3Error("InvalidRequest", "The body is not in the aws-chunked encoding that its headers promise.")
