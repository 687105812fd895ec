"""Which protocol a request has: by its path, its target header, its form's Action, the service it is signed for."""

import re
from collections.abc import Mapping
from enum import StrEnum

from formwork.api.signature import AuthError, parse_signature

_LAMBDA = re.compile(r"/(?:2014-11-13|2015-03-31)/")
_SIGNALS = "/cloudformation-waitcondition-", "/cloudformation-custom-resource-response-"


class Route(StrEnum):
    """A service, or a protocol that several services share."""

    LAMBDA = "lambda"
    TARGET = "target"  # X-Amz-Target: the JSON protocols
    QUERY = "query"
    S3 = "s3"
    SIGNAL = "signal"  # to a wait condition, or the answer of a custom resource


def route_of(method: str, path: str, query: str, headers: Mapping[str, str]) -> Route:
    """Return the route of a request; header names are lower-case."""
    if _LAMBDA.match(path):
        return Route.LAMBDA
    if path.startswith(_SIGNALS):
        return Route.SIGNAL
    if "x-amz-target" in headers:
        return Route.TARGET
    service = _signed_service(headers, query)
    if service == "s3":
        return Route.S3
    form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    if path in ("", "/") and ((method == "POST" and (form or service is not None)) or "Action=" in query):
        return Route.QUERY
    return Route.S3 if service is None else Route.QUERY


def _signed_service(headers: Mapping[str, str], query: str) -> str | None:
    try:
        signature = parse_signature(headers, query)
    except AuthError:
        return None  # refused later, in the protocol that the rest of the request has
    return signature.service if signature is not None else None
