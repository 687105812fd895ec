"""Collects the problems of a template while it is read."""

from formwork.diagnostics import Diagnostic, Severity
from formwork.documents import Document
from formwork.template.expressions import Path


class Problems:
    """The diagnostics of one document, each put at its place."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.found: list[Diagnostic] = []

    def error(  # noqa: PLR0913 - one argument a field of the diagnostic
        self,
        code: str,
        message: str,
        path: Path,
        *,
        expected: str | None = None,
        hint: str | None = None,
        key: bool = False,
    ) -> None:
        """Add an error at `path`; with `key`, at the member's name."""
        self._add(Severity.ERROR, code, message, path, expected=expected, hint=hint, key=key)

    def warning(  # noqa: PLR0913 - the same
        self,
        code: str,
        message: str,
        path: Path,
        *,
        expected: str | None = None,
        hint: str | None = None,
        key: bool = False,
    ) -> None:
        """Add a warning at `path`."""
        self._add(Severity.WARNING, code, message, path, expected=expected, hint=hint, key=key)

    def _add(  # noqa: PLR0913 - the same
        self,
        severity: Severity,
        code: str,
        message: str,
        path: Path,
        *,
        expected: str | None,
        hint: str | None,
        key: bool,
    ) -> None:
        location = self._document.locate(path, key=key)
        self.found.append(Diagnostic(code, severity, message, location, expected, hint))

    @property
    def failed(self) -> bool:
        """Whether there is an error among them."""
        return any(each.severity is Severity.ERROR for each in self.found)
