"""AWS's own example of a signed upload in chunks (S3's API reference, "Signature calculations … in multiple chunks")."""

from datetime import UTC, datetime, timedelta

import pytest

from formwork.api.s3.chunked import ChunkedDecoder, ChunkSignatures
from formwork.api.signature import AuthError, parse_signature
from formwork.api.verification import Signed, verify_signature
from formwork.diagnostics.secrets import Secret
from formwork.object_store.errors import S3Error

SECRET = Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
NOW = datetime(2013, 5, 24, tzinfo=UTC)
NAMES = "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class"
SEED = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
HEADERS = {
    "host": "s3.amazonaws.com",
    "x-amz-date": "20130524T000000Z",
    "x-amz-storage-class": "REDUCED_REDUNDANCY",
    "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    "content-encoding": "aws-chunked",
    "x-amz-decoded-content-length": "66560",
    "content-length": "66824",
    "authorization": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
    f"SignedHeaders={NAMES},Signature={SEED}",
}
CHUNKS = [
    (b"a" * 65536, "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648"),
    (b"a" * 1024, "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497"),
    (b"", "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9"),
]
BODY = b"".join(
    f"{len(data):x};chunk-signature={signature}\r\n".encode() + data + b"\r\n" for data, signature in CHUNKS
)


def verified(headers=HEADERS, now=NOW):
    """The signature of the request and the key that made it."""
    signature = parse_signature(headers, "")
    signed = Signed("PUT", "/examplebucket/chunkObject.txt", "", headers, headers["x-amz-content-sha256"])
    return signature, verify_signature(signed, signature, SECRET, now=now)


def decoded(body, *, piece):
    signature, key = verified()
    scope = f"{signature.date}/{signature.region}/{signature.service}/aws4_request"
    signatures = ChunkSignatures(key, timestamp=signature.timestamp, scope=scope, first=signature.value)
    plain = bytearray()
    decoder = ChunkedDecoder(plain.extend, signatures)
    for start in range(0, len(body), piece):
        decoder.feed(body[start : start + piece])
    assert decoder.complete
    return bytes(plain)


@pytest.mark.parametrize("piece", [7, 4096, 1 << 20])
def test_the_example(piece):
    assert len(BODY) == 66824
    assert decoded(BODY, piece=piece) == b"a" * 66560


def test_a_byte_that_was_changed():
    with pytest.raises(S3Error, match="signature of a chunk"):
        decoded(BODY.replace(b"aaaa", b"aaba", 1), piece=4096)


def test_a_header_that_was_changed():
    with pytest.raises(AuthError, match="does not match"):
        verified({**HEADERS, "x-amz-storage-class": "STANDARD"})


def test_times():
    verified(now=NOW + timedelta(minutes=14))
    with pytest.raises(AuthError, match="Signature expired"):
        verified(now=NOW + timedelta(minutes=16))
    with pytest.raises(AuthError, match="not yet current"):
        verified(now=NOW - timedelta(minutes=16))
    with pytest.raises(AuthError, match="not that of the request"):
        verified({**HEADERS, "x-amz-date": "20130525T000000Z"})
