"""Policy documents of requests: they must be JSON objects; nothing enforces them here."""

import json

from formwork.api.wire import ApiError


def expect_policy(text: str) -> str:
    """Return the policy document.

    Raises:
        ApiError: it is not a JSON object (MalformedPolicyDocument).
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ApiError("MalformedPolicyDocument", "This policy contains invalid Json")
    return text
