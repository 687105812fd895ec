"""Exceptions as failed events: the error code that fits, and a message that says what happened without secrets.

The reasons are in docs/decisions/0103.
"""

from __future__ import annotations

from .envelope import EnvelopeError
from .exceptions import _HandlerError
from .interface import HandlerErrorCode, ProgressEvent
from .redaction import Redaction
from .service_errors import handler_error_code


def failed_event(error: Exception, redact: Redaction, unexpected: HandlerErrorCode) -> ProgressEvent:
    """The FAILED event for an exception: the library's own keep their code, AWS errors have theirs translated."""
    if isinstance(error, _HandlerError):
        event = error.to_progress_event()
        event.message = redact(event.message)
        return event
    code = handler_error_code(error)
    if code is not None:
        return ProgressEvent.failed(code, redact(str(error)))
    text = str(error) if isinstance(error, EnvelopeError) else describe(error)
    return ProgressEvent.failed(unexpected, redact(text))


def describe(error: BaseException) -> str:
    """An exception in one line, its type named, since the text of many means nothing without it."""
    text = str(error)
    return f"{text} ({type(error).__name__})" if text else type(error).__name__


def traceback_text(error: BaseException, redact: Redaction) -> str:
    """The traceback for the log, secrets masked: exception messages quote what they were given."""
    import traceback  # noqa: PLC0415 - only failures need it

    return redact("".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip())
