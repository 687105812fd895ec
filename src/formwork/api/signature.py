"""AWS signatures of requests, parsed: from the Authorization header, or the query of a presigned URL.

Source: Signature Version 4 (AWS General Reference, "Signing AWS API requests"); version 2 only as old presigned S3 URLs
have it.

The reasons are in docs/decisions/0903.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from urllib.parse import parse_qsl

from msgspec import Struct

from formwork.api.caller import DEFAULT_REGION


class AuthProblem(StrEnum):
    """The refusal of a request because of its signature."""

    MISSING = "missing"
    INCOMPLETE = "incomplete"
    UNKNOWN_KEY = "unknown key"
    MISMATCH = "mismatch"
    EXPIRED = "expired"


class AuthError(Exception):
    """The signature is absent, malformed, unknown or wrong."""

    def __init__(self, problem: AuthProblem, message: str) -> None:
        super().__init__(message)
        self.problem = problem
        self.message = message


class Algorithm(StrEnum):
    """The algorithm of a signature."""

    V4 = "AWS4-HMAC-SHA256"
    V4A = "AWS4-ECDSA-P256-SHA256"
    V2_QUERY = "AWS"


class Signature(Struct, frozen=True):
    """A signature, well-formed and not verified.

    `timestamp` is as the request has it (`20261121T040000Z`); `expires` are the seconds that a presigned URL is good
    for, None where the signature is in a header.
    """

    algorithm: Algorithm
    access_key_id: str
    date: str
    region: str
    service: str
    signed_headers: tuple[str, ...]
    value: str
    timestamp: str
    expires: int | None = None
    token: str | None = None


_CREDENTIAL = re.compile(r"([^/\s]{1,128})/(\d{8})/(?:([a-z0-9-]+|\*)/)?([a-z0-9.-]+)/aws4_request", re.ASCII)
_TIMESTAMP = re.compile(r"\d{8}T\d{6}Z", re.ASCII)
_HEX = re.compile(r"[0-9a-f]{64,512}", re.ASCII)
_MAX_EXPIRES = 7 * 24 * 3600


def parse_signature(headers: Mapping[str, str], query: str) -> Signature | None:
    """Return the signature of a request with these headers (lower-case names) and this raw query; None if it has none.

    Raises:
        AuthError: it has one, and that is malformed.
    """
    if "authorization" in headers:
        return _from_header(headers["authorization"], headers)
    if "X-Amz-Algorithm=" in query or "Signature=" in query:
        return _from_query(dict(parse_qsl(query, keep_blank_values=True)))
    return None


def _from_header(text: str, headers: Mapping[str, str]) -> Signature:
    word, _, rest = text.strip().partition(" ")
    if word not in (Algorithm.V4, Algorithm.V4A):
        raise _incomplete(
            f"Unsupported AWS 'algorithm': '{word[:40]}', must be one of: {Algorithm.V4}, {Algorithm.V4A}."
        )
    parts = {}
    for piece in filter(None, (each.strip() for each in rest.split(","))):
        name, equals, value = piece.partition("=")
        if not equals:
            raise _incomplete(
                f"'{piece[:40]}' not a valid key=value pair (missing equal-sign) in Authorization header."
            )
        parts[name] = value
    missing = [name for name in ("Credential", "Signature", "SignedHeaders") if not parts.get(name)]
    if missing:
        says = " ".join(f"Authorization header requires '{name}' parameter." for name in missing)
        raise _incomplete(says)
    timestamp = headers.get("x-amz-date", "") or headers.get("date", "")
    if not timestamp:
        raise _incomplete("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
    token = headers.get("x-amz-security-token")
    return _make(word, parts["Credential"], parts["SignedHeaders"], parts["Signature"], timestamp, token=token)


def _from_query(fields: Mapping[str, str]) -> Signature | None:
    if "X-Amz-Algorithm" not in fields:
        if not fields.get("AWSAccessKeyId") or not fields.get("Signature"):
            return None
        expires = fields.get("Expires", "")
        if not expires.isascii() or not expires.isdecimal():
            raise _incomplete("Expires must be a number of seconds since the epoch.")
        key, value = fields["AWSAccessKeyId"], fields["Signature"]
        return Signature(Algorithm.V2_QUERY, key, "", DEFAULT_REGION, "s3", (), value, expires)
    names = ("X-Amz-Credential", "X-Amz-SignedHeaders", "X-Amz-Signature", "X-Amz-Date")
    missing = [name for name in names if not fields.get(name)]
    if missing:
        raise _incomplete(f"AWS query-string parameters must include {', '.join(missing)}.")
    credential, signed, value, timestamp = (fields[name] for name in names)
    expires = fields.get("X-Amz-Expires", "900")
    if not expires.isascii() or not expires.isdecimal() or not 0 < int(expires) <= _MAX_EXPIRES:
        raise _incomplete("X-Amz-Expires must be a number of seconds between 1 and 604800.")
    return _make(
        fields["X-Amz-Algorithm"],
        credential,
        signed,
        value,
        timestamp,
        expires=int(expires),
        token=fields.get("X-Amz-Security-Token"),
    )


def _make(  # noqa: PLR0913 - the parts of a signature
    algorithm: str,
    credential: str,
    signed: str,
    value: str,
    timestamp: str,
    *,
    expires: int | None = None,
    token: str | None = None,
) -> Signature:
    if algorithm not in (Algorithm.V4, Algorithm.V4A):
        raise _incomplete(f"Unsupported AWS 'algorithm': '{algorithm[:40]}'.")
    scope = _CREDENTIAL.fullmatch(credential)
    if scope is None or (algorithm == Algorithm.V4 and scope[3] is None):
        raise _incomplete(
            "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term,"
            f" got '{credential[:80]}'."
        )
    key, date, region, service = scope.groups()
    if not _HEX.fullmatch(value):
        raise _incomplete("The signature is not a hexadecimal number of the algorithm's length.")
    headers = tuple(signed.lower().split(";"))
    if "host" not in headers:
        raise _incomplete("'Host' must be a 'SignedHeader' in the AWS Authorization.")
    if algorithm == Algorithm.V4 and not _TIMESTAMP.fullmatch(timestamp):
        raise _incomplete(f"Date must be in ISO-8601 'basic format'. Got '{timestamp[:40]}'.")
    return Signature(
        Algorithm(algorithm), key, date, region or DEFAULT_REGION, service, headers, value, timestamp, expires, token
    )


def _incomplete(message: str) -> AuthError:
    return AuthError(AuthProblem.INCOMPLETE, message)
