"""Single keys of a terminal; without a terminal there are none."""

import contextlib
import os
import select
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from formwork.command_context.output import CommandOutput

if TYPE_CHECKING:
    import termios


class KeySource(Protocol):
    """Where keys come from."""

    def read(self, seconds: float) -> str:
        """Wait for a key, at most for so many seconds; return it in lower case, "" where none was pressed."""

    def ask(self, question: str) -> str:
        """Return the line that the user types as the answer, stripped; "" where there is no user."""


class NoKeys:
    """No terminal: nothing is ever pressed."""

    def read(self, seconds: float) -> str:
        """See `KeySource.read`."""
        time.sleep(seconds)
        return ""

    def ask(self, question: str) -> str:
        """See `KeySource.ask`."""
        del question
        return ""


class TerminalKeys:
    """The keys of the terminal at a descriptor, which shows none of them; Ctrl-C and Ctrl-Z keep their meaning."""

    def __init__(self, descriptor: int, output: CommandOutput) -> None:
        import termios

        self._descriptor = descriptor
        self._output = output
        self._termios = termios
        self._usual = termios.tcgetattr(descriptor)

    def read(self, seconds: float) -> str:
        """See `KeySource.read`."""
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return ""
        pressed = os.read(self._descriptor, 64)
        if not pressed:
            raise KeyboardInterrupt  # the terminal was closed
        return pressed[:1].decode("ascii", "replace").lower()  # of a sequence such as an arrow's: the escape

    def ask(self, question: str) -> str:
        """See `KeySource.ask`."""
        self.restore()
        try:
            return self._output.ask(question) or ""
        finally:
            self.take()

    def take(self) -> None:
        """Read single keys from now on."""
        changed = self._termios.tcgetattr(self._descriptor)
        changed[3] &= ~(self._termios.ICANON | self._termios.ECHO)
        self._set(changed)

    def restore(self) -> None:
        """Leave the terminal as it was found."""
        self._set(self._usual)

    def _set(self, attributes: "termios._AttrReturn") -> None:
        with contextlib.suppress(self._termios.error):  # the terminal was closed
            self._termios.tcsetattr(self._descriptor, self._termios.TCSADRAIN, attributes)


@contextlib.contextmanager
def open_keys(output: CommandOutput) -> Iterator[KeySource]:
    """The keys of the user's terminal; of none where no person sits there, and on Windows."""
    if not (output.interactive and output.terminal and output.answers) or os.name == "nt":
        yield NoKeys()
        return
    keys = TerminalKeys(output.answers.fileno(), output)
    keys.take()
    try:
        yield keys
    finally:
        keys.restore()
