"""Responses as JSON values: what a handler put into its event, checked where it can be named.

Dates become ISO texts and decimals numbers (DynamoDB returns them); what JSON cannot hold is refused with its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .values import to_json


class NotJsonError(TypeError):
    """A value that JSON cannot hold; the message names its place in the response, and its type only."""


def to_wire(value: Any, place: str = "") -> Any:
    """The value as JSON that any parser reads back; raises NotJsonError for what has no such form."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return _finite(value, place)
    if isinstance(value, Mapping):
        return {_key(key, place): to_wire(item, f"{place}/{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_wire(item, f"{place}/{index}") for index, item in enumerate(value)]
    plain = to_json(value)
    return to_wire(plain, place) if plain is not value else _rare(value, place)


def _rare(value: Any, place: str) -> Any:
    from datetime import date, time  # noqa: PLC0415 - few responses need these modules
    from decimal import Decimal  # noqa: PLC0415

    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return int(value)
    if isinstance(value, Decimal):
        return _finite(float(value), place)
    raise NotJsonError(f"{place or 'the response'} is of type {type(value).__name__}, which JSON cannot hold")


def _finite(value: float, place: str) -> float:
    if value - value != 0:
        raise NotJsonError(f"{place or 'the response'} is not a finite number, which JSON cannot hold")
    return value


def _key(key: Any, place: str) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, (int, float)) and not isinstance(key, bool):
        return str(key)
    raise NotJsonError(f"{place or 'the response'} has a key of type {type(key).__name__}; JSON keys are strings")
