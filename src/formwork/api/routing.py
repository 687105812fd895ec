"""Which door a request goes in by: its path, its target header, its form's Action, the service it is signed for."""

import re
from collections.abc import Mapping
from enum import StrEnum

from formwork.api.signature import AuthError, parse_signature

_LAMBDA = re.compile(r"/(?:2014-11-13|2015-03-31)/")
_SIGNALS = "/cloudformation-waitcondition-", "/cloudformation-custom-resource-response-"


class Door(StrEnum):
    """How a request says what it wants."""

    LAMBDA = "lambda"
    TARGET = "target"  # X-Amz-Target: the JSON protocols
    QUERY = "query"
    S3 = "s3"
    SIGNAL = "signal"  # to a wait condition, or the answer of a custom resource


def door_of(method: str, path: str, query: str, headers: Mapping[str, str]) -> Door:
    """The door of a request; header names are lower-case."""
    if _LAMBDA.match(path):
        return Door.LAMBDA
    if path.startswith(_SIGNALS):
        return Door.SIGNAL
    if "x-amz-target" in headers:
        return Door.TARGET
    service = _signed_service(headers, query)
    if service == "s3":
        return Door.S3
    form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    if path in ("", "/") and ((method == "POST" and (form or service is not None)) or "Action=" in query):
        return Door.QUERY
    return Door.S3 if service is None else Door.QUERY


def _signed_service(headers: Mapping[str, str], query: str) -> str | None:
    try:
        signature = parse_signature(headers, query)
    except AuthError:
        return None  # told later, by the door that the rest of the request leads to
    return signature.service if signature is not None else None
