"""Verification of Signature Version 4: the signature is computed from the request and compared."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, unquote

from msgspec import Struct

from formwork.api.signature import Algorithm, AuthError, AuthProblem, Signature
from formwork.diagnostics.secrets import Secret

# How far a client's clock may be off, as AWS has it.
_SKEW = timedelta(minutes=15)
_EMPTY = hashlib.sha256(b"").hexdigest()


class Signed(Struct, frozen=True):
    """The signed parts of a request: header names are lower-case, path and query as sent.

    `payload_hash` is the hexadecimal SHA-256 of the body, or for S3 the text of x-amz-content-sha256.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    payload_hash: str = _EMPTY


def verify_signature(signed: Signed, signature: Signature, secret: Secret, *, now: datetime) -> bytes:
    """Check that the signature was made with `secret` and is not expired; return the signing key (for chunks).

    Raises:
        AuthError: it did not, or the signature's time is over.
    """
    if signature.algorithm is not Algorithm.V4:
        raise AuthError(
            AuthProblem.MISMATCH, f"The authorization mechanism is not supported. Please use {Algorithm.V4}."
        )
    _check_headers(signed, signature)
    _check_time(signature, now)
    key = _signing_key(signature, secret)
    scope = f"{signature.date}/{signature.region}/{signature.service}/aws4_request"
    canonical = hashlib.sha256(_canonical(signed, signature).encode()).hexdigest()
    text = f"{Algorithm.V4}\n{signature.timestamp}\n{scope}\n{canonical}"
    if not hmac.compare_digest(hmac.digest(key, text.encode(), "sha256").hex(), signature.value):
        raise AuthError(
            AuthProblem.MISMATCH,
            "The request signature we calculated does not match the signature you provided. Check your AWS Secret"
            " Access Key and signing method. Consult the service documentation for details.",
        )
    return key


def _check_headers(signed: Signed, signature: Signature) -> None:
    """Refuse headers that have a meaning and are not signed: another party could have added them."""
    added = [name for name in signed.headers if name.startswith("x-amz-") and name not in signature.signed_headers]
    if added:
        raise AuthError(
            AuthProblem.MISMATCH, f"There were headers present in the request which were not signed: {', '.join(added)}"
        )


def _check_time(signature: Signature, now: datetime) -> None:
    try:
        signed_at = datetime.strptime(signature.timestamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise AuthError(AuthProblem.INCOMPLETE, f"{signature.timestamp} is not a valid time.") from None
    if not signature.timestamp.startswith(signature.date):
        raise AuthError(AuthProblem.INCOMPLETE, "The date in the credential scope is not that of the request.")
    good_for = _SKEW if signature.expires is None else timedelta(seconds=signature.expires)
    if now > signed_at + good_for:
        raise AuthError(
            AuthProblem.EXPIRED,
            f"Signature expired: {signature.timestamp} is now earlier than {now - good_for:%Y%m%dT%H%M%SZ}",
        )
    if signed_at > now + _SKEW:
        raise AuthError(
            AuthProblem.EXPIRED, f"Signature not yet current: {signature.timestamp} is still later than now"
        )


def _signing_key(signature: Signature, secret: Secret) -> bytes:
    key = b"AWS4" + secret.reveal().encode()
    for part in (signature.date, signature.region, signature.service, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def _canonical(signed: Signed, signature: Signature) -> str:
    names = sorted(signature.signed_headers)
    headers = "".join(f"{name}:{' '.join(signed.headers.get(name, '').split())}\n" for name in names)
    # S3 signs the path as it is sent; every other service encodes that once more.
    path = signed.path if signature.service == "s3" else quote(signed.path, safe="/-_.~")
    return "\n".join([signed.method, path or "/", _query(signed.query), headers, ";".join(names), signed.payload_hash])


def _query(query: str) -> str:
    pairs = []
    for piece in filter(None, query.split("&")):
        name, _, value = piece.partition("=")
        name, value = (quote(unquote(each.replace("+", " ")), safe="-_.~") for each in (name, value))
        if name != "X-Amz-Signature":
            pairs.append((name, value))
    return "&".join(f"{name}={value}" for name, value in sorted(pairs))
