"""Fetching the target of a stack-level hook, which is too large for the request and comes as a presigned URL.

A payload that is unavailable fails the request: a hook that judged an empty target instead would let everything pass.
"""

from __future__ import annotations

import time
from typing import Any, Callable

from .envelope import EnvelopeError

_ATTEMPTS = 4
_TIMEOUT_SECONDS = 5.0  # with the pauses below the 30 seconds that a hook has
_RETRIED_STATUSES = frozenset((500, 502, 503, 504))
_LIMIT_BYTES = 64 * 1024 * 1024


def fetch_payload(url: str, *, pause: Callable[[float], None] = time.sleep) -> dict[str, Any]:
    """The JSON object at a presigned URL; server errors and lost connections are tried again, 1, 2 and 4 seconds apart.

    Raises EnvelopeError naming the reason, never the URL: its query is a credential.
    """
    from urllib.parse import urlsplit  # noqa: PLC0415 - resource hooks bring their target along

    if urlsplit(url).scheme not in ("https", "http"):
        raise EnvelopeError("requestData.payload is not an http(s) URL")
    reason = ""
    for attempt in range(_ATTEMPTS):
        if attempt:
            pause(2.0 ** (attempt - 1))
        try:
            return _parse(_get(url))
        except _TransientError as problem:
            reason = str(problem)
    raise EnvelopeError(f"the target at requestData.payload could not be fetched: {reason}, {_ATTEMPTS} times")


class _TransientError(Exception):
    """A failure that may be gone the next time."""


def _get(url: str) -> bytes:
    import http.client  # noqa: PLC0415 - as above
    import urllib.error  # noqa: PLC0415
    import urllib.request  # noqa: PLC0415

    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310 - the scheme is checked
            body: bytes = answer.read(_LIMIT_BYTES + 1)
    except urllib.error.HTTPError as problem:
        problem.close()
        if problem.code in _RETRIED_STATUSES:
            raise _TransientError(f"HTTP status {problem.code}") from None
        raise EnvelopeError(
            f"the target at requestData.payload could not be fetched: HTTP status {problem.code}"
        ) from None
    except (OSError, http.client.HTTPException) as problem:
        cause = getattr(problem, "reason", problem)
        raise _TransientError(type(cause).__name__) from None
    if len(body) > _LIMIT_BYTES:
        raise EnvelopeError(f"the target at requestData.payload is larger than {_LIMIT_BYTES} bytes")
    return body


def _parse(body: bytes) -> dict[str, Any]:
    import json  # noqa: PLC0415 - as above

    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        raise EnvelopeError("the target at requestData.payload is not a JSON document") from None
    if not isinstance(parsed, dict):
        raise EnvelopeError("the target at requestData.payload is not a JSON object")
    return parsed
