"""Positions in a model file: an offset, from which line and column are computed when they are read."""

import bisect
import re

from msgspec import Struct

from formwork.diagnostics import Location, Position

_LINE_END = re.compile(r"\r\n|\n|\r")


class SourceText:
    """One model file: its name to show, its text, and the line starts found on first use."""

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._line_starts: list[int] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SourceText) and self.name == other.name and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.name)

    def position(self, offset: int) -> Position:
        """Line and column of `offset`, from 1; columns count UTF-16 units, as other Smithy tools do."""
        if self._line_starts is None:
            self._line_starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        line = bisect.bisect_right(self._line_starts, offset)
        before = self.text[self._line_starts[line - 1] : offset]
        astral = 0 if before.isascii() else sum(character > "\uffff" for character in before)
        return Position(line, len(before) + astral + 1)


class SourcePlace(Struct, frozen=True):
    """A place in a source; `offset` -1 means the file as a whole, `pointer` leads into a JSON file."""

    source: SourceText
    offset: int = -1
    pointer: tuple[str | int, ...] | None = None

    @property
    def position(self) -> Position | None:
        """Line and column, or None for the file as a whole."""
        if self.offset >= 0:
            return self.source.position(self.offset)
        if self.pointer is not None:
            from formwork.smithy.json_offsets import locate_pointer  # noqa: PLC0415 - only files with findings pay

            found = locate_pointer(self.source.text, self.pointer)
            return None if found is None else self.source.position(found)
        return None

    @property
    def location(self) -> Location:
        """The form that diagnostics carry."""
        return Location(self.source.name, self.position)

    def __str__(self) -> str:
        position = self.position or Position(0, 0)
        return f"{self.source.name} [{position.line}, {position.column}]"


NOWHERE = SourcePlace(SourceText("N/A", ""))
