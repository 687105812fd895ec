"""What generated and existing code imports from here; the homes of these things are the modules named below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from .recast import deserialize_object

T = TypeVar("T")


def deserialize_list(json_data: Sequence[Any] | None, inner_dataclass: type[T]) -> list[T] | None:
    """The models of a list of objects, of lists of them too; None gives None, `[]` an empty list."""
    if json_data is None:
        return None
    return [_deserialize_item(item, inner_dataclass) for item in json_data]


def _deserialize_item(item: Any, inner_dataclass: type[T]) -> Any:
    if isinstance(item, Mapping):
        return deserialize_object(inner_dataclass, item)
    return deserialize_list(item, inner_dataclass) if isinstance(item, list) else item
