"""Scalars of JSON as texts."""

from typing import Any


def as_text(value: Any) -> str | None:
    """Return a scalar as CloudFormation writes it into a text: `true`, `5`, `0.5`; None for what is not a scalar."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case float() if value.is_integer():
            return str(int(value))
        case int() | float():
            return str(value)
        case _:
            return None
