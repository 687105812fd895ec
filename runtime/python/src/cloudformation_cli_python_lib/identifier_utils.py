"""Physical names for resources whose template names none."""

from __future__ import annotations

import re

_STACK_ARN = re.compile(r"[a-z0-9:-]*stack/([-a-zA-Z0-9]*)/[-a-zA-Z0-9]*")
_DIGEST_LENGTH = 12
_MINIMUM_LENGTH = 15


def generate_resource_identifier(
    stack_id_or_name: str | None,
    logical_resource_id: str | None,
    client_request_token: str | None,
    max_length: int,
) -> str:
    """Name a resource `<stack>-<logical id>-<12 hex digits of the token>`, shortened to `max_length` characters.

    The same token gives the same name, so that a retried create finds what it made. Leading dashes, which most services
    refuse, are removed. Raises ValueError for a `max_length` below 15.
    """
    import hashlib  # noqa: PLC0415 - loads OpenSSL, and many handlers never name anything

    if max_length < _MINIMUM_LENGTH:
        raise ValueError(f"max_length is {max_length}; a generated identifier needs at least {_MINIMUM_LENGTH}")
    stack = stack_id_or_name or ""
    arn = _STACK_ARN.match(stack)
    stack = (arn.group(1) if arn else stack).lstrip("-")
    logical = (logical_resource_id or "").lstrip("-")
    digest = hashlib.sha1((client_request_token or "").encode(), usedforsecurity=False).hexdigest()[:_DIGEST_LENGTH]

    separated = max_length > _MINIMUM_LENGTH + 2
    free = max_length - _DIGEST_LENGTH - 1 - separated
    logical_length = min(free // 2, len(logical))
    stack_part = stack[: free - logical_length]
    prefix = stack_part + ("-" if separated and stack_part else "") + logical[:logical_length]
    return f"{prefix}-{digest}".lstrip("-")
