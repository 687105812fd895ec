"""The URLs of wait condition handles, at which programs signal a stack.

They have the form of AWS's presigned URLs, at this service's address.
"""

from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from msgspec import Struct

from formwork.aws.scope import Scope

PREFIX = "/cloudformation-waitcondition-"


class Handle(Struct, frozen=True):
    """A handle: a resource of a stack, and the signature that proves that the sender was given its URL."""

    stack_id: str
    logical_id: str
    signature: str
    expires: int


def render_handle(base: str, scope: Scope, stack_arn: str, handle: Handle) -> str:
    """Return the URL of a handle at the service `base`."""
    query = {"Expires": handle.expires, "AWSAccessKeyId": scope.account, "Signature": handle.signature}
    place = quote(f"{stack_arn}/{handle.logical_id}", safe="/")
    return f"{base}{PREFIX}{scope.region}/{place}?{urlencode(query)}"


def parse_handle(url: str) -> Handle | None:
    """Return the handle that a URL, or its path with the query, names; None if it is not a handle's."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    steps = unquote(parts.path).split("/")  # "", bucket, arn:…:stack, name, id, logical id
    query: Mapping[str, str] = dict(parse_qsl(parts.query))
    if not parts.path.startswith(PREFIX) or len(steps) != _STEPS or not query.get("Expires", "").isdigit():
        return None
    return Handle(steps[4], steps[5], query.get("Signature", ""), int(query["Expires"]))


_STEPS = 6
