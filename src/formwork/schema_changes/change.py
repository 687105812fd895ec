"""One change, and the place that it is reported at."""

from typing import Any

from msgspec import Struct

from formwork.diagnostics import Diagnostic, Severity
from formwork.schema.findings import Path
from formwork.schema.paths import PropertyPath

BREAKING, RISKY, HARMLESS = Severity.ERROR, Severity.WARNING, Severity.INFO


class Change(Struct, frozen=True):
    """A change between two schemas.

    `path` names the property for people; `at` leads to its place in the new document, or in the old one where `old`.
    """

    slug: str
    weight: Severity
    message: str
    at: Path
    hint: str | None = None
    old: bool = False

    def as_diagnostic(self, old: Any, new: Any) -> Diagnostic:
        """Return the diagnostic, placed in the document it is about."""
        location = (old if self.old else new).locate(self.at, key=True)
        return Diagnostic(f"change.{self.slug}", self.weight, self.message, location, hint=self.hint)


def name_of(path: PropertyPath) -> str:
    """Return a property path as people write it: `Tags/*/Key`."""
    return "/".join(path)
