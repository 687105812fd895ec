"""The document: a name, its text, its value, and where each part of the value stands in the text."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from formwork.diagnostics import Location, Position, render_pointer

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


class DocumentFormat(StrEnum):
    """The format of a document's text."""

    JSON = "json"
    YAML = "yaml"


class SourceMap(Protocol):
    """Finds the place of a value in a text."""

    def span(self, tokens: Sequence[str | int], *, key: bool) -> tuple[Position, Position]:
        """Start and end of the value at `tokens`, or with `key` of its key; of the nearest ancestor if absent."""
        ...


class WholeText:
    """The source map of a value that has no text of its own, such as one that a program made."""

    def span(self, tokens: Sequence[str | int], *, key: bool) -> tuple[Position, Position]:  # noqa: ARG002 - protocol
        """Always the first character."""
        return Position(1, 1), Position(1, 1)


class Document(Struct, frozen=True, eq=False, dict=True):
    """A parsed text.

    `name` is what to show the user; `value` a tree of dict, list, str, int, float, bool and None within the bounds of
    `bounds.py`: no NaN, no infinity, no lone surrogates, string keys only. Don't change it.
    """

    name: str
    text: str
    value: Any
    format: DocumentFormat
    _make_map: Callable[[], SourceMap] = WholeText

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self.name, self.text, self.value, self.format

    @classmethod
    def of_value(cls, value: Any, name: str) -> "Document":
        """Return the document of a value that a program made within the bounds; every place in it is the first one."""
        return cls(name, "", value, DocumentFormat.JSON)

    def locate(self, tokens: Sequence[str | int] = (), *, key: bool = False) -> Location:
        """Return the place of the value at `tokens`, or with `key` of the member's name.

        A path that leads nowhere gets the place of the nearest value above it, and keeps its own pointer.
        """
        start, end = self._map.span(tokens, key=key)
        return Location(self.name, start, end, render_pointer(tokens))

    @cached_property
    def _map(self) -> SourceMap:
        """Made on first use: most documents have nothing to complain about."""
        return self._make_map()
