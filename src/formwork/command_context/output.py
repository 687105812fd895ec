"""The output of commands: results to stdout, everything else to stderr."""

import io
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

STDIN = "-"  # as a file's name on the line: standard input
STDIN_NAME = "<stdin>"  # what diagnostics call it

if TYPE_CHECKING:  # msgspec takes 9 ms to import, which `cfn --help` and `cfn --version` need not wait for
    from formwork.diagnostics import Diagnostic


class CommandOutput:
    """The two streams of a command and how it may use them.

    `colour` says whether stderr may be coloured, `colour_out` the same of stdout, `interactive` whether a person sits
    at stdin and stderr, who can be asked (`answers` is where the answers come from). `terminal` says whether stderr is
    one, where a line can be written over to show progress.
    """

    def __init__(  # noqa: PLR0913 - what differs between a terminal, a pipe and a test
        self,
        out: TextIO,
        err: TextIO,
        *,
        colour: bool,
        interactive: bool,
        answers: TextIO | None = None,
        colour_out: bool = False,
        terminal: bool = False,
        verbosity: int = 0,
    ) -> None:
        self.out = out
        self.err = err
        self.colour = colour
        self.colour_out = colour_out
        self.terminal = terminal
        self.interactive = interactive
        self.answers = answers
        self.verbosity = verbosity
        self._input: str | None = None

    @classmethod
    def of_process(cls) -> "CommandOutput":
        """Return the output of this process: colour where a stream is a terminal and NO_COLOR is not set."""
        out, err = (_usable(each) for each in (sys.stdout, sys.stderr))
        dumb = os.environ.get("TERM") == "dumb"  # shows escapes and carriage returns as they are
        forced, refused = bool(os.environ.get("FORCE_COLOR")), bool(os.environ.get("NO_COLOR"))
        refused = refused or (dumb and not forced)
        asked = sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
        return cls(
            out,
            err,
            colour=(forced or err.isatty()) and not refused,
            colour_out=(forced or out.isatty()) and not refused,
            terminal=err.isatty() and not dumb,
            interactive=asked and err.isatty(),
            answers=sys.stdin,
        )

    def read_input(self) -> str:
        """Return the text on standard input, read once.

        Raises:
            BadInputError: it is not UTF-8, or is too large.
            UsageError: standard input is closed.
        """
        if self._input is None:
            from formwork.diagnostics.errors import UsageError
            from formwork.documents import read_stream

            if self.answers is None or self.answers.closed:
                raise UsageError(
                    '"-" is standard input, which is closed', hint="pipe a file in, or give the file's name"
                )
            stream = getattr(self.answers, "buffer", None) or io.BytesIO(self.answers.read().encode())
            self._input = read_stream(stream, name=STDIN_NAME)
        return self._input

    def result(self, text: str) -> None:
        """Write a line of the command's result to stdout."""
        shown = _visible(text) if self.out.isatty() else text  # a file or a program gets it as it is
        self.out.write(shown if shown.endswith("\n") else shown + "\n")

    def say(self, text: str) -> None:
        """Print a line about the progress to stderr."""
        self.err.write(_visible(text) + "\n")
        self.err.flush()

    def ask(self, question: str) -> str | None:
        """Ask at the terminal and return the answer, stripped; None if the terminal was closed.

        The question goes to stderr, so that stdout holds results only.
        """
        self.err.write(f"{_visible(question)}\n>> ")
        self.err.flush()
        line = self.answers.readline() if self.answers is not None else ""
        return line.strip() if line else None

    def detail(self, text: str) -> None:
        """Print a line to stderr if -v is given."""
        if self.verbosity:
            self.say(text)

    def show(self, diagnostics: "Iterable[Diagnostic]") -> None:
        """Print diagnostics with their source lines to stderr, beside the command's result."""
        from formwork.diagnostics.render import render_text

        self.err.write(render_text(diagnostics, colour=self.colour, source=self._read_source))
        self.err.flush()

    def findings(self, diagnostics: "Iterable[Diagnostic]") -> None:
        """Print diagnostics with their source lines to stdout, for commands whose result they are."""
        from formwork.diagnostics.render import render_text

        self.out.write(render_text(diagnostics, colour=self.colour_out, source=self._read_source))

    def _read_source(self, file: str) -> str | None:
        return self._input if file == STDIN_NAME else _read_source(file)


def _visible(text: str) -> str:
    """Return the text with control characters other than line breaks made visible."""
    if text.replace("\n", "").isprintable():
        return text
    from formwork.diagnostics.visible import visible

    return visible(text)


def _usable(stream: TextIO | None) -> TextIO:
    """Return the stream, set to escape characters that its encoding lacks; for a closed one (`>&-`) the null device."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - lives as long as the process
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _read_source(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8-sig") as opened:  # noqa: PTH123 - pathlib is not imported otherwise
            return opened.read()
    except (OSError, ValueError):
        return None
