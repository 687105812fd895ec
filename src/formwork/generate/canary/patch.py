"""JSON Patch (RFC 6902) as far as canary inputs use it: add, replace and remove; other operations are ignored."""

import copy
from typing import Any

from formwork.diagnostics import PointerError, expect_at, parse_pointer


class PatchError(ValueError):
    """An operation that can't be applied; the message says which and why."""


def apply_patch(value: Any, operations: list[Any]) -> Any:
    """Return a copy of `value` after the operations, in order.

    Raises:
        PatchError: the place of an operation does not exist, or a value is missing.
    """
    result = copy.deepcopy(value)
    for index, operation in enumerate(operations):
        if isinstance(operation, dict) and operation.get("op") in ("add", "replace", "remove"):
            try:
                result = _apply(result, operation)
            except (PointerError, KeyError, IndexError, TypeError, ValueError) as error:
                raise PatchError(f"operation {index} ({operation['op']} {operation.get('path')}): {error}") from error
    return result


def _apply(root: Any, operation: dict[str, Any]) -> Any:
    name = operation["op"]
    tokens = parse_pointer(operation["path"])
    if not tokens:
        if name == "remove":
            raise ValueError("the whole document can't be removed")
        return copy.deepcopy(operation["value"])
    parent, last = expect_at(root, tokens[:-1]), tokens[-1]
    if isinstance(parent, list):
        _apply_to_list(parent, last, operation)
    elif isinstance(parent, dict):
        if name != "add" and last not in parent:
            raise KeyError(last)
        if name == "remove":
            del parent[last]
        else:
            parent[last] = copy.deepcopy(operation["value"])
    else:
        raise TypeError("nothing can be put into a scalar")
    return root


def _apply_to_list(parent: list[Any], place: str, operation: dict[str, Any]) -> None:
    name = operation["op"]
    index = len(parent) if place == "-" and name == "add" else int(place)
    if not 0 <= index < len(parent) + (name == "add"):
        raise IndexError(f"item {place} not found")
    if name == "remove":
        del parent[index]
    elif name == "add":
        parent.insert(index, copy.deepcopy(operation["value"]))
    else:
        parent[index] = copy.deepcopy(operation["value"])
