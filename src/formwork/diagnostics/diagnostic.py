"""Diagnostics: what is wrong with the input or could be better, each with its code, place and fix."""

from collections.abc import Iterable
from enum import StrEnum
from typing import assert_never

from msgspec import Struct


class Severity(StrEnum):
    """How much a diagnostic matters: an error fails the run, a warning and an info never do."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Return the sort key of the severity: 0 for an error."""
        match self:
            case Severity.ERROR:
                return 0
            case Severity.WARNING:
                return 1
            case Severity.INFO:
                return 2
            case _:
                assert_never(self)


class Position(Struct, frozen=True):
    """A position in a text: line and column, both counted from 1, the column in characters."""

    line: int
    column: int


class Location(Struct, frozen=True):
    """The place of a diagnostic in the input.

    `file` is the name to show (a path as the user gave it, or a label such as `<stdin>`); None means the diagnostic
    is about no file. `end` is the position after the last character. `pointer` is an RFC 6901 JSON pointer, "" for the
    whole document; None where there is no JSON value to point into. `confidential` says that the line holds a secret,
    so it is named and never shown.
    """

    file: str | None = None
    start: Position | None = None
    end: Position | None = None
    pointer: str | None = None
    confidential: bool = False


class Diagnostic(Struct, frozen=True):
    """One finding about the input.

    `code` is a stable slug `area.rule-name` that has a page in the reference. `message` is one sentence that names
    the offending value in quotes, without a final period. `expected` is what would have been right, `hint` how to
    fix it.
    """

    code: str
    severity: Severity
    message: str
    location: Location = Location()
    expected: str | None = None
    hint: str | None = None
    notes: tuple[str, ...] = ()


def sort_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics sorted by file, position, severity and code."""

    def place(diagnostic: Diagnostic) -> tuple[str, int, int, int, str, str]:
        location = diagnostic.location
        start = location.start or Position(0, 0)
        return (
            location.file or "",
            start.line,
            start.column,
            diagnostic.severity.rank,
            diagnostic.code,
            diagnostic.message,
        )

    return sorted(diagnostics, key=place)
