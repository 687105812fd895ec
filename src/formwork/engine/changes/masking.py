"""Changes as they may be shown and kept: without the values of parameters that nobody may see.

Source: the service's user guide, "Parameters" (NoEcho): what such a parameter gives is shown as asterisks.
"""

from collections.abc import Sequence
from typing import Any

MASK = "****"
# Shorter values are parts of other texts by chance.
_SHORTEST_PART = 6


def mask_values(value: Any, secrets: Sequence[str]) -> Any:
    """A copy of a JSON value with the texts that are secrets, or hold one, masked."""
    match value:
        case str() if value in secrets:
            return MASK
        case str():
            for secret in secrets:
                if len(secret) >= _SHORTEST_PART:
                    value = value.replace(secret, MASK)
            return value
        case dict():
            return {name: mask_values(each, secrets) for name, each in value.items()}
        case list() | tuple():
            return [mask_values(each, secrets) for each in value]
        case _:
            return value
