"""Errors of the engine, with the service's codes and messages."""

from formwork.diagnostics import FormworkError


class StackError(FormworkError):
    """A request that the service would refuse: the error's code, its message and the HTTP status.

    Source: the error shapes of the service's model; `ValidationError`, the most frequent one, is not among them.
    """

    def __init__(self, message: str, *, code: str = "ValidationError", status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status


class ProcessingError(StackError):
    """A template's macros failed, or returned an invalid template.

    The service reports this while the operation runs: a stack is rolled back, a change set fails.
    """


class MacroError(ProcessingError):
    """A macro or transform failed."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"Transform {name} failed with: {reason}")


def insufficient_capabilities(needed: list[str]) -> StackError:
    """Return the error for a template that needs capabilities that the request does not acknowledge."""
    return StackError(f"Requires capabilities : [{', '.join(needed)}]", code="InsufficientCapabilitiesException")
