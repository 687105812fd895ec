"""What the engine refuses, in the service's words."""

from formwork.diagnostics import FormworkError


class StackError(FormworkError):
    """A request that the service would refuse: the error's code, its message and the HTTP status.

    Source: the error shapes of the service's model; `ValidationError` stands in none of them and is the usual one.
    """

    def __init__(self, message: str, *, code: str = "ValidationError", status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status


class ProcessingError(StackError):
    """A template's macros could not be run, or made what is no good template.

    The service finds that out when the operation runs already: a stack is rolled back, a change set fails.
    """


class MacroError(ProcessingError):
    """A macro or transform failed."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"Transform {name} failed with: {reason}")


def insufficient_capabilities(needed: list[str]) -> StackError:
    """The template needs an acknowledgement that the request does not give."""
    return StackError(f"Requires capabilities : [{', '.join(needed)}]", code="InsufficientCapabilitiesException")
