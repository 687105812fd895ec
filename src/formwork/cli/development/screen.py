"""The screen of `cfn dev`: cleared for each run on a terminal, else plain lines without colours."""

from formwork.cli.development.verdicts import SessionVerdict
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import FormworkError

_CLEAR = "\x1b[H\x1b[2J"
_GREEN, _RED, _DIM, _PLAIN = "\x1b[32m", "\x1b[31m", "\x1b[2m", "\x1b[0m"
KEYS = "a all tests   r replay what failed   f focus   c console   d debug   q quit"


class Screen:
    """Where a session is shown; `whole` says that a terminal shows nothing else, and that keys can be pressed."""

    def __init__(self, output: CommandOutput, title: str, *, whole: bool) -> None:
        self._output = output
        self._title = title
        self._whole = whole

    def begin(self, why: str, focus: str | None) -> None:
        """Start a run."""
        if self._whole:
            self._output.err.write(_CLEAR)
        focused = "" if focus is None else f"   focus: {focus}"
        self._output.say(f"{self._title}{focused}\n{why}")

    def end(self, verdict: SessionVerdict, took: str) -> None:
        """Show the verdict of a run, and what to do next."""
        self._output.out.flush()
        self._paint(f"{'ok' if verdict.good else 'FAILED'}: {verdict.text}", _GREEN if verdict.good else _RED, took)
        self.say_keys()

    def say(self, text: str) -> None:
        """Show a line."""
        self._output.say(text)

    def say_keys(self) -> None:
        """Show what the user can do."""
        if self._whole:
            self._paint(KEYS, _DIM)
        else:
            self._output.say("watching for saved files; Ctrl-C ends")

    def show(self, error: FormworkError) -> None:
        """Show the diagnostics of an error."""
        self._output.show(error.diagnostics)

    def _paint(self, text: str, colour: str, rest: str = "") -> None:
        if not self._output.colour:
            self._output.say(text + rest)
            return
        self._output.err.write(colour)  # `say` makes escapes of its text visible
        self._output.err.write(f"{text}{_PLAIN}{rest}\n")
        self._output.err.flush()
