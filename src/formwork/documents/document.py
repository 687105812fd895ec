"""The document: a name, its text, its value, and where each part of the value stands in the text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

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


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text.

    `name` is what to show the user; `value` a tree of dict, list, str, int, float, bool and None within the bounds of
    `bounds.py`: no NaN, no infinity, no lone surrogates, string keys only. Don't change it.
    """

    name: str
    text: str
    value: Any
    format: DocumentFormat
    _make_map: Callable[[], SourceMap] = field(default=WholeText, repr=False, compare=False)
    _map: list[SourceMap] = field(default_factory=list, init=False, repr=False, compare=False)

    @classmethod
    def of_value(cls, value: Any, name: str) -> "Document":
        """Return the document of a value that a program made within the bounds; every place in it is the first one."""
        return cls(name, "", value, DocumentFormat.JSON)

    def locate(self, tokens: Sequence[str | int] = (), *, key: bool = False) -> Location:
        """Return the place of the value at `tokens`, or with `key` of the member's name.

        A path that leads nowhere gets the place of the nearest value above it, and keeps its own pointer.
        """
        if not self._map:  # made on first use: most documents have nothing to complain about
            self._map.append(self._make_map())
        start, end = self._map[0].span(tokens, key=key)
        return Location(self.name, start, end, render_pointer(tokens))
