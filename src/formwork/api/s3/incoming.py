"""A body on its way to disk: decoded, measured and checked against what its headers promise, piece by piece."""

import base64
import hashlib
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, Self

from formwork.api.s3.chunked import ChunkedDecoder, ChunkSignatures
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ReceivedBody

_PREFIX = "x-amz-checksum-"
# CRC32C, CRC64NVME and the XXHASHes are kept as the client gives them: Python has no fast way to compute them.
_KNOWN = ("crc32", "crc32c", "crc64nvme", "sha1", "sha256", "sha512", "md5", "xxhash64", "xxhash3", "xxhash128")


class _Checksum(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def digest(self) -> bytes: ...


class _Crc32:
    def __init__(self) -> None:
        self._value = 0

    def update(self, data: bytes, /) -> None:
        self._value = zlib.crc32(data, self._value)

    def digest(self) -> bytes:
        return self._value.to_bytes(4, "big")


_MAKE: Mapping[str, Callable[[], _Checksum]] = {
    "crc32": _Crc32,
    "md5": lambda: hashlib.md5(usedforsecurity=False),
    "sha1": hashlib.sha1,
    "sha256": hashlib.sha256,
    "sha512": hashlib.sha512,
}


def make_checksum(name: str) -> _Checksum | None:
    """Return a computation of the checksum `name` (crc32, sha256 …); None if it is stored as given."""
    return _MAKE[name]() if name in _MAKE else None


def given_checksums(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the checksums in a request's headers: `{"crc32": base64}`."""
    return {name: headers[_PREFIX + name] for name in _KNOWN if _PREFIX + name in headers}


def check_announced(headers: Mapping[str, str]) -> None:
    """Refuse a request that names a checksum algorithm without sending that checksum.

    Raises:
        S3Error: it does.
    """
    named = headers.get("x-amz-sdk-checksum-algorithm", "").lower()
    trailers = headers.get("x-amz-trailer", "").lower().split(",")
    if named and _PREFIX + named not in headers and _PREFIX + named not in trailers:
        raise S3Error(
            "InvalidRequest",
            "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers "
            "were found.",
        )


def check_document(headers: Mapping[str, str], body: bytes) -> None:
    """Check a document that came whole against the digests in the request's headers.

    Raises:
        S3Error: one of them is another body's.
    """
    md5 = hashlib.md5(body, usedforsecurity=False).digest()
    _check_md5(headers, md5)
    for name, given in given_checksums(headers).items():
        checksum = make_checksum(name)
        if checksum is not None:
            checksum.update(body)
            _check_checksum(name, checksum, given)


def _check_md5(headers: Mapping[str, str], digest: bytes) -> None:
    declared = headers.get("content-md5")
    if declared is not None and declared != base64.b64encode(digest).decode():
        raise S3Error("BadDigest", "The Content-MD5 you specified did not match what we received.")


def _check_checksum(name: str, computed: _Checksum, given: str) -> None:
    if base64.b64encode(computed.digest()).decode() != given:
        raise S3Error("BadDigest", f"The {name.upper()} you specified did not match the calculated checksum.")


class IncomingBody:
    """Writes a body to the file `path`; use it in `with`, which leaves no file behind on an error."""

    def __init__(
        self, path: Path, headers: Mapping[str, str], *, limit: int, signatures: ChunkSignatures | None = None
    ) -> None:
        """`headers` are the request's (lower-case names); `limit` is in bytes."""
        self._path = path
        self._headers = headers
        self._limit = limit
        self._size = 0
        self._md5 = hashlib.md5(usedforsecurity=False)
        self._sha256 = hashlib.sha256()
        self._checksums = {name: _MAKE[name]() for name in self._announced() if name in _MAKE}
        chunked = headers.get("x-amz-content-sha256", "").startswith("STREAMING-")
        chunked = chunked or "aws-chunked" in headers.get("content-encoding", "")
        self._decoder = ChunkedDecoder(self._write_plain, signatures) if chunked else None
        self._file = path.open("xb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is not None:
            self._path.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Take the next piece as it came.

        Raises:
            S3Error: it is too much, or no aws-chunked encoding though it says so.
        """
        if self._decoder is None:
            self._write_plain(data)
        else:
            self._decoder.feed(data)

    def finish(self) -> ReceivedBody:
        """Check the received body against the headers.

        Raises:
            S3Error: it is not what the headers promise.
        """
        self._file.close()
        self._check_length()
        _check_md5(self._headers, self._md5.digest())
        expected = self._headers.get("x-amz-content-sha256", "")
        if len(expected) == 64 and expected != self._sha256.hexdigest():
            raise S3Error(
                "XAmzContentSHA256Mismatch",
                "The provided 'x-amz-content-sha256' header does not match what was computed.",
            )
        return ReceivedBody(self._path, self._size, self._md5.hexdigest(), self._check_checksums())

    def _write_plain(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > self._limit:
            raise S3Error("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size")
        self._md5.update(data)
        self._sha256.update(data)
        for each in self._checksums.values():
            each.update(data)
        self._file.write(data)

    def _announced(self) -> list[str]:
        trailers = self._headers.get("x-amz-trailer", "").lower()
        return [name for name in _KNOWN if _PREFIX + name in self._headers or _PREFIX + name in trailers.split(",")]

    def _check_length(self) -> None:
        name = "content-length" if self._decoder is None else "x-amz-decoded-content-length"
        complete = self._decoder is None or self._decoder.complete
        if not complete or self._headers.get(name, str(self._size)) != str(self._size):
            raise S3Error(
                "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header"
            )

    def _check_checksums(self) -> dict[str, str]:
        trailers = self._decoder.trailers if self._decoder is not None else {}
        found = {}
        for name in self._announced():
            given = trailers.get(_PREFIX + name, self._headers.get(_PREFIX + name, ""))
            computed = self._checksums.get(name)
            if computed is not None:
                _check_checksum(name, computed, given)
            found[name] = given
        return found
