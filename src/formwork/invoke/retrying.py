"""Error codes that CloudFormation answers with another try of the same request.

Source: user guide, "Resource type handler error codes", where each code's type is retriable or terminal.
"""

from collections.abc import Mapping
from typing import Any

RETRIABLE = frozenset({"Throttling", "NetworkFailure", "ServiceInternalError", "ResourceConflict"})
MAX_TRIES = 5  # of one request, the first included


def retriable_code(event: Mapping[str, Any] | None) -> str | None:
    """The error code of a FAILED event that is worth another try; None of any other answer."""
    if event is None or event.get("hookStatus" if "hookStatus" in event else "status") != "FAILED":
        return None
    code = event.get("errorCode")
    return code if isinstance(code, str) and code in RETRIABLE else None
