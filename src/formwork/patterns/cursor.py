"""Where a pattern is being read: its text, the place in it, the flags that hold there."""

from formwork.patterns.syntax import Flags, PatternError


class PatternCursor:
    """Steps through a pattern's text; `java_only` collects constructs that only Java's dialect has."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.at = 0
        self.java_only: set[str] = set()
        self._flags = Flags.NONE
        self._nesting = 0

    def _peek(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self._text[index] if index < len(self._text) else ""

    def _take(self, wanted: str) -> bool:
        if self._text.startswith(wanted, self.at):
            self.at += len(wanted)
            return True
        return False

    def _next(self) -> str:
        if self.at >= len(self._text):
            raise PatternError("the pattern ends too early", self.at)
        self.at += 1
        return self._text[self.at - 1]

    def _fail(self, message: str, position: int | None = None) -> PatternError:
        return PatternError(message, self.at if position is None else position)

    def _skip_comments(self) -> None:
        if self._flags is Flags.NONE:  # nearly always, and asked at every character
            return
        while Flags.COMMENTS in self._flags and self._peek():
            if self._peek() in " \t\n\r\f\v":
                self.at += 1
            elif self._peek() == "#":
                while self._peek() and self._peek() not in "\n\r\x85\u2028\u2029":
                    self.at += 1
            else:
                return
