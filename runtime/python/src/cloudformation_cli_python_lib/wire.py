"""Responses as JSON values: what a handler put into its event, checked where it can be named.

Dates become ISO texts and decimals numbers (DynamoDB returns them); what JSON cannot hold is refused with its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .values import to_json


class NotJsonError(TypeError):
    """A value that JSON cannot hold; the message names its place in the response, and its type only."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = ""

    def __str__(self) -> str:
        return f"{self.place or 'the response'} {self.reason}"


def to_wire(value: Any) -> Any:
    """The value as JSON that any parser reads back; raises NotJsonError for what has no such form."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, Mapping):
        return {_key(key): _member(key, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_member(index, item) for index, item in enumerate(value)]
    plain = to_json(value)
    return to_wire(plain) if plain is not value else _rare(value)


def _member(step: object, item: Any) -> Any:
    """One member of a container, its place added to a complaint."""
    try:
        return to_wire(item)
    except NotJsonError as problem:
        problem.place = f"/{step}{problem.place}"
        raise


def _rare(value: Any) -> Any:
    from datetime import date, time  # noqa: PLC0415 - few responses need these modules
    from decimal import Decimal  # noqa: PLC0415

    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return int(value)
    if isinstance(value, Decimal):
        return _finite(float(value))
    raise NotJsonError(f"is of type {type(value).__name__}, which JSON cannot hold")


def _finite(value: float) -> float:
    if value - value != 0:
        raise NotJsonError("is not a finite number, which JSON cannot hold")
    return value


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, (int, float)) and not isinstance(key, bool):
        return str(key)
    raise NotJsonError(f"has a key of type {type(key).__name__}; JSON keys are strings")
