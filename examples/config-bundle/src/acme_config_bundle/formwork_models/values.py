# Copied by `cfn generate` from Formwork's handler library; changes are lost.
"""JSON values in Python: what counts as equal, a set that can hold objects, and the way back to plain JSON.

A schema's array with `uniqueItems: true` and `insertionOrder: false` is a set, often of objects. Python's own `set`
neither holds dicts nor keeps an order, so such a property is a `ValueSet`: duplicate-free by JSON equality, compared
without regard to order, and written back in the order it was read in.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, MutableSet
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import Any, TypeVar

T = TypeVar("T")


class Serializable:
    """What writes itself as JSON; `BaseModel` and the events do."""

    def _members(self) -> Mapping[str, Any]:
        """The members that are present, under their names on the wire, with Python values."""
        return {name: value for name, value in vars(self).items() if value is not None}

    def _serialize(self) -> Mapping[str, Any]:
        """The members as JSON."""
        return {name: to_json(value) for name, value in self._members().items()}


def canonical(value: object) -> Hashable:
    """A key, equal for equal JSON: `1` and `1.0` are, `1` and `true` are not, and object keys have no order."""
    if isinstance(value, bool):
        return ("boolean", value)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Serializable):
        value = value._members()
    if isinstance(value, Mapping):
        return ("object", frozenset((str(key), canonical(item)) for key, item in value.items()))
    if isinstance(value, AbstractSet):
        return ("set", frozenset(canonical(item) for item in value))
    if isinstance(value, (list, tuple)):
        return ("array", tuple(canonical(item) for item in value))
    return repr(value)


class ValueSet(MutableSet[T]):
    """A set of any JSON values or models, unhashable ones included, that keeps the order in which they came."""

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items: dict[Hashable, T] = {}
        for item in items:
            self.add(item)

    def __contains__(self, item: object) -> bool:
        return canonical(item) in self._items

    def __iter__(self) -> Iterator[T]:
        return iter(self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AbstractSet):
            return NotImplemented
        return self._items.keys() == {canonical(item) for item in other}

    __hash__ = None  # type: ignore[assignment] # mutable

    def __repr__(self) -> str:
        return f"ValueSet({list(self)!r})"

    def add(self, item: T) -> None:
        """Add an item unless an equal one is there."""
        self._items.setdefault(canonical(item), item)

    def discard(self, item: T) -> None:
        """Remove the item equal to this one, if there is one."""
        self._items.pop(canonical(item), None)


def to_json(value: Any) -> Any:
    """The value with models, sets, tuples and enums replaced by plain JSON; what has no JSON form stays as it is.

    A Python `set` is written sorted, so that the same value gives the same text in every process.
    """
    if value is None or isinstance(value, (bool, int, float)) or type(value) is str:
        return value
    if isinstance(value, Serializable):
        return value._serialize()
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, AbstractSet)):
        ordered = sorted(value, key=_sort_key) if isinstance(value, (set, frozenset)) else value
        return [to_json(item) for item in ordered]
    return value.value if isinstance(value, Enum) else value


def _sort_key(value: object) -> tuple[str, str]:
    """An order over mixed values: by type, then by text."""
    plain = to_json(value)
    if isinstance(plain, dict):
        plain = sorted((str(key), repr(item)) for key, item in plain.items())
    return type(plain).__name__, f"{plain:>40}" if isinstance(plain, int) else repr(plain)
