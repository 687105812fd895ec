"""Diagnostics about the toolkit's input, as data; the lowest layer, which imports nothing of Formwork."""

from formwork.diagnostics.diagnostic import Diagnostic, Location, Position, Severity, sort_diagnostics
from formwork.diagnostics.errors import BadInputError, EnvironmentProblemError, FormworkError, UsageError
from formwork.diagnostics.pointer import PointerError, expect_at, get_at, parse_pointer, render_pointer

__all__ = [
    "BadInputError",
    "Diagnostic",
    "EnvironmentProblemError",
    "FormworkError",
    "Location",
    "PointerError",
    "Position",
    "Severity",
    "UsageError",
    "expect_at",
    "get_at",
    "parse_pointer",
    "render_pointer",
    "sort_diagnostics",
]
