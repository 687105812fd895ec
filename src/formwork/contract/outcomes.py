"""The outcome of an operation: how it ended, its model, and whether it had its effect."""

from typing import Any

from formwork.contract.answers import UNFINISHED
from formwork.contract.recording import error_code
from formwork.invoke import Operation


def failed_with(operation: Operation, code: str) -> bool:
    """Return whether the operation ended FAILED with `code`."""
    return operation.status == "FAILED" and error_code(operation) == code


def is_deleted(operation: Operation) -> bool:
    """Whether a DELETE did its work: SUCCESS, or NotFound for the retry of a request whose answer was an error."""
    return operation.succeeded or (operation.tries > 1 and failed_with(operation, "NotFound"))


def outcome(operation: Operation) -> str:
    """Return how the operation ended, in words: `SUCCESS`, `FAILED with NotFound`, `no event`."""
    if operation.status == "FAILED":
        return f"FAILED with {error_code(operation) or 'no error code'}"
    if operation.status in UNFINISHED:
        return f"{operation.status} without an end"
    return operation.status or "no event"


def model_of(operation: Operation) -> dict[str, Any] | None:
    """Return the model of the last event, None where there is none."""
    model = (operation.event or {}).get("resourceModel")
    return model if isinstance(model, dict) else None
