"""Records of invocations: one exchange with a handler, and all exchanges of an operation."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.invoke.answer import Answer, AnswerProblem

# Statuses after which the service calls again.
UNFINISHED = frozenset({"IN_PROGRESS", "PENDING"})


class Exchange(Struct, frozen=True):
    """One invocation: the request and the answer.

    `event` is the answer's JSON object, unchecked; None where there is none, and then `problem` says why.
    """

    request: Mapping[str, Any]
    answer: Answer
    event: dict[str, Any] | None
    problem: AnswerProblem | None

    @property
    def status(self) -> str | None:
        """The event's `status`, of a hook its `hookStatus`; None where it is missing or not a string."""
        if self.event is None:
            return None
        status = self.event.get("hookStatus" if "hookStatus" in self.event else "status")
        return status if isinstance(status, str) else None

    @property
    def unfinished(self) -> bool:
        """Whether the handler asks to be called again."""
        return self.status in UNFINISHED


class OperationEnd(StrEnum):
    """Why a session stopped calling the handler."""

    ANSWERED = "answered"  # an event that asks for no more calls, or no event at all
    SYNCHRONOUS = "synchronous"  # READ or LIST answered IN_PROGRESS: the service never calls those again
    DELAY_NEGATIVE = "delay-negative"  # IN_PROGRESS with a negative delay: the handler asks for no re-invocation
    REINVOKE_LIMIT = "reinvoke-limit"
    TIMED_OUT = "timed-out"  # the handler's timeoutInMinutes ran out before a final event


class Operation(Struct, frozen=True):
    """An operation from its first call to the last: at least one exchange."""

    exchanges: tuple[Exchange, ...]
    end: OperationEnd

    @property
    def final(self) -> Exchange:
        """The last exchange."""
        return self.exchanges[-1]

    @property
    def event(self) -> dict[str, Any] | None:
        """The last event, None where the last answer holds none."""
        return self.final.event

    @property
    def problem(self) -> AnswerProblem | None:
        """Why the last answer holds no event."""
        return self.final.problem

    @property
    def status(self) -> str | None:
        """The last event's status."""
        return self.final.status

    @property
    def tries(self) -> int:
        """How often the last request was sent."""
        return sum(exchange.request is self.final.request for exchange in self.exchanges)

    @property
    def had_callbacks(self) -> bool:
        """Whether an answer asked for another call."""
        return any(exchange.unfinished for exchange in self.exchanges)

    @property
    def succeeded(self) -> bool:
        """Whether the operation ended with SUCCESS."""
        return self.end is OperationEnd.ANSWERED and self.status == "SUCCESS"
