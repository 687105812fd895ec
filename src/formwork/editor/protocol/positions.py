"""Positions as editors count them: lines and units of UTF-16, UTF-8 or characters, from 0.

Source: Language Server Protocol 3.17, "Position" and "PositionEncodingKind".
"""

import re
from bisect import bisect_right
from enum import StrEnum
from typing import Any

from formwork.diagnostics import Position

_NEWLINE = re.compile(r"\r\n|\n|\r")


class PositionEncoding(StrEnum):
    """The units in which a client counts the characters of a line."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def choose_encoding(offered: object) -> PositionEncoding:
    """Return the encoding to use of those that a client offers, in its order; UTF-16 where it offers none of ours."""
    known = {str(each): each for each in PositionEncoding}
    names = offered if isinstance(offered, list) else []
    return next((known[each] for each in names if isinstance(each, str) and each in known), PositionEncoding.UTF16)


class PositionIndex:
    """Converts offsets of one text to positions of the protocol and back."""

    def __init__(self, text: str, encoding: PositionEncoding) -> None:
        self._text = text
        self._encoding = encoding
        self._plain = text.isascii()
        self._ends: list[int] = []
        self._starts = [0]
        for match in _NEWLINE.finditer(text):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(text))

    @property
    def lines(self) -> int:
        """The number of lines; a text that ends in a line break has an empty last one."""
        return len(self._starts)

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position; one behind the end of its line or of the text is moved to that end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[line], self._ends[line]
        wanted = max(character, 0)
        if self._plain or self._encoding is PositionEncoding.UTF32:
            return min(start + wanted, end)
        return start + _characters(self._text[start:end], wanted, self._encoding)

    def position(self, offset: int) -> dict[str, int]:
        """Return the position of the character at `offset`, which may be one past the end."""
        at = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, at) - 1
        start = self._starts[line]
        at = min(at, self._ends[line])  # between \r and \n is the end of the line
        return {"line": line, "character": _units(self._text[start:at], self._encoding)}

    def range(self, start: int, end: int) -> dict[str, Any]:
        """Return the range from one offset to another."""
        return {"start": self.position(start), "end": self.position(max(start, end))}

    def offset_of(self, position: Position, *, utf16: bool = False) -> int:
        """Return the offset of a place in a diagnostic, whose columns are characters from 1, or units of UTF-16."""
        line = min(max(position.line - 1, 0), len(self._starts) - 1)
        column = max(position.column - 1, 0)
        if utf16 and not self._plain:
            column = _characters(self._text[self._starts[line] : self._ends[line]], column, PositionEncoding.UTF16)
        return min(self._starts[line] + column, len(self._text))


def _units(text: str, encoding: PositionEncoding) -> int:
    if text.isascii() or encoding is PositionEncoding.UTF32:
        return len(text)
    if encoding is PositionEncoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def _characters(line: str, units: int, encoding: PositionEncoding) -> int:
    """Return how many characters `units` are; within one the position is moved to its start."""
    seen = 0
    for index, character in enumerate(line):
        seen += _units(character, encoding)
        if seen > units:
            return index
    return len(line)
