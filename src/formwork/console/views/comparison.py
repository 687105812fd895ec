"""Two JSON values side by side: which properties differ."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import render_pointer

_ABSENT = object()
_MOST = 2_000  # properties


class ComparedProperty(Struct, frozen=True):
    """A property of either value, as texts; None where a value does not have it."""

    path: str
    left: str | None
    right: str | None

    @property
    def differs(self) -> bool:
        """Whether the values are not the same."""
        return self.left != self.right


def compare_values(left: Any, right: Any) -> list[ComparedProperty]:
    """Return the leaves of both values by their JSON pointers, in the order of the first value."""
    found = []
    for each in _walk((), left, right):
        found.append(each)
        if len(found) == _MOST:
            break
    return found


def as_shown(value: Any) -> str:
    """Return a leaf as a text: strings as they are, what is empty in JSON's form."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return {"[]": "[]", "{}": "{}"}.get(str(value), str(value))


def _walk(path: tuple[str | int, ...], left: Any, right: Any) -> Iterator[ComparedProperty]:
    values = [each for each in (left, right) if each is not _ABSENT]
    if all(isinstance(each, Mapping) for each in values) and any(values):
        for name in dict.fromkeys(name for each in values for name in each):
            yield from _walk((*path, name), _member(left, name), _member(right, name))
    elif all(isinstance(each, list) for each in values) and any(values):
        for at in range(max(len(each) for each in values)):
            yield from _walk((*path, at), _item(left, at), _item(right, at))
    else:
        yield ComparedProperty(render_pointer(path), _leaf(left), _leaf(right))


def _member(value: Any, name: str) -> Any:
    return _ABSENT if value is _ABSENT else value.get(name, _ABSENT)


def _item(value: Any, at: int) -> Any:
    return value[at] if value is not _ABSENT and at < len(value) else _ABSENT


def _leaf(value: Any) -> str | None:
    return None if value is _ABSENT else as_shown(value)
