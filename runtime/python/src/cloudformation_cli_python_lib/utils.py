"""What generated and existing code imports from here; `recast` and `wire` do the work."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from .credentials import Credentials
from .recast import deserialize_object
from .wire import to_wire

__all__ = ["Credentials", "KitchenSinkEncoder", "LambdaContext", "deserialize_list"]

T = TypeVar("T")


class KitchenSinkEncoder(json.JSONEncoder):
    """A JSON encoder that also writes models, sets, dates and decimals."""

    def default(self, o: Any) -> Any:
        """The JSON form of a value that JSON lacks; raises TypeError where there is none."""
        return to_wire(o)


class LambdaContext(Protocol):
    """The part of Lambda's context object that this library reads."""

    def get_remaining_time_in_millis(self) -> int:
        """The milliseconds until Lambda ends the invocation."""


def deserialize_list(json_data: Sequence[Any] | None, inner_dataclass: type[T]) -> list[T] | None:
    """The models of a list of objects, of lists of them too; None gives None, `[]` an empty list."""
    if json_data is None:
        return None
    return [_deserialize_item(item, inner_dataclass) for item in json_data]


def _deserialize_item(item: Any, inner_dataclass: type[T]) -> Any:
    if isinstance(item, Mapping):
        return deserialize_object(inner_dataclass, item)
    return deserialize_list(item, inner_dataclass) if isinstance(item, list) else item
