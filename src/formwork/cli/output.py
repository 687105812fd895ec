"""Where a command's words go: results to stdout, everything else to stderr."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from formwork.diagnostics import Diagnostic
from formwork.diagnostics.render import render_text


class Output:
    """The two streams of a command and how it may use them."""

    def __init__(self, out: TextIO, err: TextIO, *, colour: bool, interactive: bool, verbosity: int = 0) -> None:
        self.out = out
        self.err = err
        self.colour = colour
        self.interactive = interactive
        self.verbosity = verbosity

    @classmethod
    def of_process(cls) -> "Output":
        """The output of this process: colour where stderr is a terminal and NO_COLOR is not set."""
        terminal = sys.stderr.isatty()
        colour = (terminal or bool(os.environ.get("FORCE_COLOR"))) and not os.environ.get("NO_COLOR")
        return cls(sys.stdout, sys.stderr, colour=colour, interactive=sys.stdin is not None and sys.stdin.isatty())

    def result(self, text: str) -> None:
        """A line of what the command was asked for, to stdout."""
        self.out.write(text if text.endswith("\n") else text + "\n")

    def say(self, text: str) -> None:
        """A line about what is going on, to stderr."""
        self.err.write(text + "\n")
        self.err.flush()

    def detail(self, text: str) -> None:
        """A line for those who asked for more with -v, to stderr."""
        if self.verbosity:
            self.say(text)

    def show(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Diagnostics as text with their source lines, to stderr."""
        self.err.write(render_text(diagnostics, colour=self.colour, source=_read_source))
        self.err.flush()


def _read_source(file: str) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
