"""One invocation of a handler: its boundary, its response, and what the library knows about it while it runs."""

from __future__ import annotations

import contextvars
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Callable

from .envelope import EnvelopeError
from .exceptions import _HandlerError
from .failures import failed_event, traceback_text
from .interface import Action, HandlerErrorCode, OperationStatus, ProgressEvent
from .observation import Observation
from .redaction import Redaction
from .wire import to_wire

_context: contextvars.ContextVar[Any] = contextvars.ContextVar("lambda_context", default=None)


def remaining_seconds() -> float | None:
    """The time until Lambda ends this invocation, or None outside one."""
    context = _context.get()
    read = getattr(context, "get_remaining_time_in_millis", None)
    return None if read is None else float(read()) / 1000


@contextmanager
def running(context: Any) -> Iterator[None]:
    """Make the Lambda context known to the library for one invocation."""
    token = _context.set(context)
    try:
        yield
    finally:
        _context.reset(token)


class Prepared:
    """A request that has been read: `call` invokes its handler, `observation` surrounds that."""

    __slots__ = ("call", "observation")

    def __init__(self, call: Callable[[], ProgressEvent], observation: Observation) -> None:
        self.call = call
        self.observation = observation


def answer(prepare: Callable[[Redaction], Prepared], context: Any) -> ProgressEvent:
    """The event that answers one request, whatever goes wrong: the boundary of the library.

    What `prepare` raises is the request's fault (InvalidRequest), what the handler raises the handler's
    (InternalFailure), unless the exception says better.
    """
    redact = Redaction()
    with running(context):
        try:
            prepared = prepare(redact)
        except Exception as error:  # noqa: BLE001 - the entry point: whatever is raised is answered, not lost
            return _failed(error, redact, HandlerErrorCode.InvalidRequest)
        with prepared.observation:
            try:
                event = prepared.call()
            except Exception as error:  # noqa: BLE001 - likewise
                prepared.observation.handled(error)
                return _failed(error, redact, HandlerErrorCode.InternalFailure)
            prepared.observation.handled(None)
            message: Any = event.message  # handlers put exceptions and None there, whatever the type says
            event.message = "" if message is None else redact(str(message))
            return event


def _failed(error: Exception, redact: Redaction, unexpected: HandlerErrorCode) -> ProgressEvent:
    event = failed_event(error, redact, unexpected)
    if isinstance(error, _HandlerError):
        _log("INFO", f"The handler failed: {type(error).__name__}: {event.message}")  # meant to be raised
    elif isinstance(error, EnvelopeError):
        _log("ERROR", f"The request cannot be read: {event.message}")
    else:
        _log("ERROR", f"The handler failed:\n{traceback_text(error, redact)}")
    return event


def expect_event(answer: Any, asked: str) -> ProgressEvent:
    """The handler's answer if it is an event with a known status; raises TypeError otherwise."""
    if not isinstance(answer, ProgressEvent):
        raise TypeError(f"The {asked} handler returned {type(answer).__name__} instead of a ProgressEvent")
    if answer.status not in OperationStatus.__members__.values():
        raise TypeError(f"The {asked} handler returned the status {answer.status!r}")
    return answer


def expect_synchronous(event: ProgressEvent, action: Action) -> ProgressEvent:
    """READ and LIST are never called again, so an IN_PROGRESS of theirs would be lost."""
    if action in (Action.READ, Action.LIST) and event.status == OperationStatus.IN_PROGRESS:
        return ProgressEvent.failed(
            HandlerErrorCode.InternalFailure, "READ and LIST handlers must return synchronously."
        )
    return event


def write_response(event: Any, failed: Callable[[HandlerErrorCode, str], Any]) -> MutableMapping[str, Any]:
    """The event as JSON, or the FAILED event that `failed` makes of what JSON could not hold."""
    try:
        written: MutableMapping[str, Any] = to_wire(event._serialize())
    except Exception as error:  # noqa: BLE001 - part of the same boundary: a model may hold anything
        complaint = f"The response cannot be written: {error}"
        _log("ERROR", complaint)
        return dict(failed(HandlerErrorCode.InternalFailure, complaint)._serialize())
    return written


def _log(level: str, message: str) -> None:
    import logging  # noqa: PLC0415 - takes 5 ms, and a request that succeeds has nothing to log

    logging.getLogger(__package__).log(logging.getLevelName(level), "%s", message)
