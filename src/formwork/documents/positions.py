"""Character offsets to lines and columns."""

import re
from bisect import bisect_right

from formwork.diagnostics import Position

_NEWLINE = re.compile(r"\r\n|\n|\r")


class LineIndex:
    """The offsets of a text's lines, which convert an offset to a position in logarithmic time."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    def position(self, offset: int) -> Position:
        """Return the line and column of the character at `offset`, which may be one past the end."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)
