"""A line at the bottom of a terminal that is written over and over."""

import shutil
from typing import TextIO

from formwork.diagnostics.visible import visible

_NARROWEST = 20


class StatusLine:
    """Writes one line to `stream` and over it again; `clear` takes it away."""

    def __init__(self, stream: TextIO, *, colour: bool) -> None:
        self._stream = stream
        self._colour = colour
        self._width = 0

    def show(self, text: str) -> None:
        """Write `text`, as much of it as fits, in place of the previous text."""
        line = visible(text)[: max(_NARROWEST, shutil.get_terminal_size().columns - 1)]
        shown = f"\x1b[2m{line}\x1b[0m" if self._colour else line
        self._stream.write("\r" + shown + " " * (self._width - len(line)))
        self._stream.flush()
        self._width = len(line)

    def clear(self) -> None:
        """Erase the text, so that the next output begins on an empty line."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0
