"""Character offsets to lines and columns."""

import re
from bisect import bisect_right
from itertools import accumulate, count
from operator import add

from formwork.diagnostics import Position

_NEWLINE = re.compile(r"\r\n|\n|\r")


class LineIndex:
    """The offsets of a text's lines, which convert an offset to a position in logarithmic time."""

    def __init__(self, text: str) -> None:
        if "\r" in text:
            self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
        else:  # the sum of the lengths of the lines before, and of their ends: without a loop of Python's own
            self._starts = [0, *map(add, accumulate(map(len, text.split("\n")[:-1])), count(1))]

    def position(self, offset: int) -> Position:
        """Return the line and column of the character at `offset`, which may be one past the end."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)
