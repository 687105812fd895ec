"""Error codes that CloudFormation answers with another try of the same request.

Source: user guide, "Resource type handler error codes", where each code's type is retriable or terminal. Of a hook,
ResourceConflict is a judgement: the guide's own hook in Java refuses targets with it.

The reasons are in docs/decisions/0530.
"""

from collections.abc import Mapping
from typing import Any

RETRIABLE = frozenset({"Throttling", "NetworkFailure", "ServiceInternalError", "ResourceConflict"})
_RETRIABLE_OF_HOOKS = RETRIABLE - {"ResourceConflict"}
MAX_TRIES = 5  # of one request, the first included


def retriable_code(event: Mapping[str, Any] | None) -> str | None:
    """Return the error code of a FAILED event that is worth another try; None of any other answer."""
    if event is None:
        return None
    status, codes = ("hookStatus", _RETRIABLE_OF_HOOKS) if "hookStatus" in event else ("status", RETRIABLE)
    code = event.get("errorCode")
    return code if event.get(status) == "FAILED" and isinstance(code, str) and code in codes else None
