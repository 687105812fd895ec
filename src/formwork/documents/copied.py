"""Copies of JSON values."""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import to_builtins

_Value = TypeVar("_Value")
_CONTAINERS = (dict, list)


def copied(value: _Value) -> _Value:
    """Return a deep copy of a JSON value, in a quarter of the time of `copy.deepcopy`."""
    made: Any = value
    if isinstance(value, dict):
        made = {name: copied(each) if isinstance(each, _CONTAINERS) else each for name, each in value.items()}
    elif isinstance(value, list):
        made = [copied(each) if isinstance(each, _CONTAINERS) else each for each in value]
    result: _Value = made
    return result


def without_nulls(value: Any) -> Any:
    """Return a copy of a JSON value without the members of objects that are null; a null in an array stays."""
    if isinstance(value, dict):
        return {
            name: without_nulls(each) if isinstance(each, _CONTAINERS) else each
            for name, each in value.items()
            if each is not None
        }
    if isinstance(value, list):
        return [without_nulls(each) if isinstance(each, _CONTAINERS) else each for each in value]
    return value


def as_json_value(value: Any) -> Any:
    """Return a copy of a struct, or of a value that holds some, in which there are values of JSON only.

    A secret in it becomes its text, as where JSON is written of it: what is stored is sealed or masked by the caller.

    Raises:
        TypeError: there is an object without a form in JSON.
    """
    return to_builtins(value, enc_hook=_plain)


def _plain(value: Any) -> Any:
    """Return a str for one of a subclass, a dict for another mapping: msgspec takes neither as it is."""
    match value:
        case str():
            return str.__str__(value)
        case Mapping():
            return dict(value)
        case _:
            raise TypeError(f"{type(value).__name__} has no form in JSON")
