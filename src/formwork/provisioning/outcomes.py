"""What a handler's answer means for the operation that it is part of.

Source: seed 003 ("Progress", "Handler error codes"); which errors are worth another try: user guide, "Resource type
handler error codes".
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from formwork.invoke import AnswerProblem
from formwork.invoke.operation import UNFINISHED
from formwork.invoke.retrying import MAX_TRIES, RETRIABLE
from formwork.invoke.session import callback_delay

_SYNCHRONOUS = frozenset({"READ", "LIST"})
# The least time between two calls: a handler that asks for no delay, and is never done, must not keep a processor busy.
_PACE_SECONDS = 0.05


class Waiting(Struct, frozen=True):
    """The handler wants to be called again after `seconds`, with this model and context."""

    seconds: float
    model: Mapping[str, Any] | None
    context: Mapping[str, Any] | None


class Succeeded(Struct, frozen=True):
    """The operation is done; `model` is None for deletes, `models` and `next_token` belong to lists."""

    model: Mapping[str, Any] | None
    models: tuple[Mapping[str, Any], ...] = ()
    next_token: str | None = None


class Failed(Struct, frozen=True):
    """The operation failed; `model` is what the handler returned of the resource nevertheless.

    `lost` says that its effect is unknown: its process was killed from outside during the call. The same
    request, with the same client request token, finds out. `plain` has events repeat the message unchanged: it
    is the engine's own, not a handler's.
    """

    code: str
    message: str
    model: Mapping[str, Any] | None = None
    plain: bool = False
    lost: bool = False

    @property
    def retriable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.lost or self.code in RETRIABLE


Outcome: TypeAlias = Waiting | Succeeded | Failed


def read_outcome(action: str, event: Mapping[str, Any] | None, problem: AnswerProblem | None) -> Outcome:
    """Return the outcome that an answer means; a missing answer is an internal failure.

    A handler that took too long is not called again; the text is the service's, as users of resource types quote it.
    """
    if event is None:
        if problem is not None and problem.timed_out:
            return Failed("ServiceTimeout", "Resource handler timed out.", plain=True)
        message = problem.message if problem is not None else "Internal Failure"
        return Failed("InternalFailure", message, lost=problem is not None and problem.killed)
    status = event.get("status")
    if status in UNFINISHED:
        return _waiting(action, event)
    if status == "SUCCESS":
        models = event.get("resourceModels")
        return Succeeded(
            _object(event.get("resourceModel")),
            tuple(each for each in models if isinstance(each, Mapping)) if isinstance(models, list) else (),
            _text(event.get("nextToken")) or None,
        )
    if status == "FAILED":
        return Failed(
            _text(event.get("errorCode")) or "InternalFailure",
            _text(event.get("message")),
            _object(event.get("resourceModel")),
        )
    return Failed("InternalFailure", f'the handler answered the status "{status}"')


def _waiting(action: str, event: Mapping[str, Any]) -> Outcome:
    if action in _SYNCHRONOUS:
        return Failed("InternalFailure", f"the {action.lower()} handler answered IN_PROGRESS, which it never may")
    delay = callback_delay(event)
    if delay < 0:
        return Failed(
            "NotStabilized",
            "the handler asks not to be called again, and is not done",
            _object(event.get("resourceModel")),
        )
    return Waiting(
        max(delay, _PACE_SECONDS), _object(event.get("resourceModel")), _object(event.get("callbackContext"))
    )


def retry_delay(attempt: int) -> float | None:
    """Return the seconds before try number `attempt` + 1 of a retriable failure, None where there is none."""
    return None if attempt >= MAX_TRIES else float(2 ** (attempt - 1))


def _object(value: Any) -> Mapping[str, Any] | None:
    return value if isinstance(value, Mapping) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
