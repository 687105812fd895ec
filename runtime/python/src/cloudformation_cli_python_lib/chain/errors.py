"""What an exception in a step means: try again later, or fail with a code."""

from __future__ import annotations

from typing import Callable

from cloudformation_cli_python_lib.exceptions import _HandlerError
from cloudformation_cli_python_lib.failures import describe
from cloudformation_cli_python_lib.interface import HandlerErrorCode, ProgressEvent
from cloudformation_cli_python_lib.service_errors import handler_error_code, http_status

_BUSY_STATUSES = frozenset((429, 503, 504))


class Retry(Exception):
    """Raised by an error handler: wait and try the step again."""


def default_event(error: Exception) -> ProgressEvent | None:
    """The FAILED event for an exception, or None where the step should be tried again: throttling, a busy service.

    The library's own exceptions keep their code; AWS errors are translated; everything else is an InternalFailure.
    """
    if isinstance(error, Retry):
        return None
    if isinstance(error, _HandlerError):
        return error.to_progress_event()
    code = handler_error_code(error)
    if code is None:
        return ProgressEvent.failed(HandlerErrorCode.InternalFailure, describe(error))
    if code is HandlerErrorCode.Throttling or http_status(error) in _BUSY_STATUSES:
        return None
    return ProgressEvent.failed(code, str(error))


def exhausted_event(name: str, error: Exception | None, attempts: int, elapsed: float) -> ProgressEvent:
    """The FAILED event when the time to wait is over: of the last error, or NotStabilized where there was none."""
    spent = f"after {attempts} attempts in {elapsed:.0f} seconds"
    if error is None:
        return ProgressEvent.failed(HandlerErrorCode.NotStabilized, f"{name} did not stabilize {spent}")
    own = error._error_code if isinstance(error, _HandlerError) else handler_error_code(error)
    code = own or HandlerErrorCode.NotStabilized
    return ProgressEvent.failed(code, f"{name} gave up {spent}: {describe(error)}")


def guarded_handler(
    handle: Callable[[Exception], ProgressEvent | None], error: Exception, name: str
) -> ProgressEvent | None:
    """What a step's own error handler decides; exceptions it raises are judged like those of the step."""
    try:
        event = handle(error)
    except Exception as raised:  # noqa: BLE001 - whatever a handler of errors raises is the error now
        return default_event(raised)
    if not isinstance(event, ProgressEvent):
        kind = type(event).__name__
        message = f"handle_error of {name} returned {kind} instead of a ProgressEvent, for: {describe(error)}"
        return ProgressEvent.failed(HandlerErrorCode.InternalFailure, message)
    return event
