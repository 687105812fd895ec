"""The exceptions of the toolkit, for what cannot continue.

    FormworkError
    ├── BadInputError             the user's input is at fault; carries diagnostics       exit code 1
    ├── UsageError                the call's words are off                                exit code 2
    └── EnvironmentProblemError   the machine or a remote service is at fault             exit code 3

Findings that do not stop the work are `Diagnostic` values, never exceptions.
"""

from collections.abc import Iterable
from typing import ClassVar

from formwork.diagnostics.diagnostic import Diagnostic, Location, Severity, sort_diagnostics


class FormworkError(Exception):
    """The base of every error that Formwork raises on purpose."""

    exit_code: ClassVar[int] = 1

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What to show the user; at least one."""
        raise NotImplementedError


class BadInputError(FormworkError):
    """The user's input cannot be used; `diagnostics` holds at least one error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self._diagnostics = tuple(sort_diagnostics(diagnostics))
        super().__init__("; ".join(each.message for each in self._diagnostics if each.severity is Severity.ERROR))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that was found, sorted by place."""
        return self._diagnostics

    @classmethod
    def of(  # noqa: PLR0913 - one argument a field of the diagnostic
        cls,
        code: str,
        message: str,
        *,
        location: Location | None = None,
        expected: str | None = None,
        hint: str | None = None,
        notes: tuple[str, ...] = (),
    ) -> "BadInputError":
        """Return an error with a single diagnostic."""
        return cls([Diagnostic(code, Severity.ERROR, message, location or Location(), expected, hint, notes)])


class _MessageError(FormworkError):
    code: ClassVar[str]

    def __init__(self, message: str, *, hint: str | None = None, notes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self._diagnostic = Diagnostic(self.code, Severity.ERROR, message, hint=hint, notes=notes)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return (self._diagnostic,)


class UsageError(_MessageError):
    """Options or arguments that make no sense together."""

    exit_code = 2
    code = "usage"


class EnvironmentProblemError(_MessageError):
    """A port in use, a read-only folder, no network, a missing toolchain, a remote service that refuses."""

    exit_code = 3
    code = "environment"
