"""The refusal of members of requests whose effect is not available here."""

from collections.abc import Mapping
from typing import Any

from formwork.api.wire import ApiError


def refuse_members(request: Mapping[str, Any], names: tuple[str, ...], *, code: str) -> None:
    """Refuse a request that has one of these members, other than false or empty.

    Raises:
        ApiError: it has one; the message names it.
    """
    for name in names:
        if request.get(name):
            raise ApiError(code, f"{name} is not available here")
