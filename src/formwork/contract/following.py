"""Operations followed to their end, or until the run gives up, and what an operation without an end shows.

A handler may stay IN_PROGRESS for as long as its timeoutInMinutes. Only an operation that has really been waited for so
long never ends; of one that the run gave up on earlier nothing is known, since it may depend on a world that needs the
time which the run skipped.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from formwork.contract.recording import BlockedError, FindingRecorder
from formwork.invoke import Exchange, Operation, OperationEnd
from formwork.invoke.session import callback_delay

if TYPE_CHECKING:
    from formwork.contract.subject import AnySubject

_CLAUSE = "event.progress.ends"
_FINAL = ("SUCCESS", "FAILED")


class _GivenUpError(Exception):
    """The operation in progress is not called again."""


class Followed(Struct, frozen=True):
    """How operations of one kind are followed: `action` is what the run counts them under, `what` its name in messages.

    `minutes` is the handler's timeoutInMinutes.
    """

    subject: "AnySubject"
    action: str
    what: str
    minutes: int

    def begin(self) -> None:
        """Begin an operation: it is waited for, unless operations of the action are known not to end."""
        if self.subject.patience is not None:
            self.subject.patience.begin(impatient=self.action in self.subject.memory.endless)

    def follow(
        self, request: Mapping[str, Any], retry_delays: Sequence[float], *, hear: Callable[[Exchange], None]
    ) -> Operation:
        """Send a request and call again while it is IN_PROGRESS; `hear` receives each exchange as it ends."""
        self.begin()
        heard: list[Exchange] = []

        def hear_each(exchange: Exchange) -> None:
            heard.append(exchange)
            hear(exchange)
            if exchange.unfinished and not self.has_time_left():
                raise _GivenUpError

        subject = self.subject
        try:
            return subject.session.drive(
                request,
                max_reinvoke=subject.limits.patience_calls if subject.patience is None else None,
                timeout_minutes=None if subject.limits.unlimited else self.minutes,
                retry_delays=retry_delays,
                hear=hear_each,
            )
        except _GivenUpError:
            return Operation(tuple(heard), OperationEnd.REINVOKE_LIMIT)

    def has_time_left(self) -> bool:
        """Return whether the operation in progress may be called again.

        Raises:
            BlockedError: operations of the action are known not to end.
        """
        subject = self.subject
        if (why := subject.memory.why_endless(self.action, subject.limits)) is not None:
            raise BlockedError(why)
        if subject.patience is None or subject.limits.unlimited:
            return True
        known = self.action in subject.memory.endless
        most = subject.limits.calling_seconds / (3 if known else 1)
        calls = subject.patience.count_call()
        return calls <= subject.limits.patience_calls and subject.patience.seconds_of_calls() <= most

    def judge_end(self, recorder: FindingRecorder, operation: Operation) -> None:
        """`event.progress.ends`: kept by an operation that ended, violated by one that was waited for long enough.

        Raises:
            BlockedError: the run has given up on the operation.
        """
        if operation.end not in {OperationEnd.REINVOKE_LIMIT, OperationEnd.TIMED_OUT}:
            if operation.status in _FINAL:
                recorder.hold(_CLAUSE)
            return
        memory, calls = self.subject.memory, len(operation.exchanges)
        memory.endless[self.action] = memory.endless.get(self.action, 0) + 1
        delay = callback_delay(operation.event or {})
        if delay >= self.minutes * 60 or (operation.end is OperationEnd.TIMED_OUT and self._has_waited):
            still = f"{operation.status} after {calls} calls"
            message = f"{self.what} never ends: still {still}; timeoutInMinutes is {self.minutes}"
            if delay >= self.minutes * 60:
                message = f"{self.what} asks to be called again after {delay:g} s; timeoutInMinutes is {self.minutes}"
            recorder.violate(_CLAUSE, message, (*operation.exchanges[:2], operation.final))
            return
        patience = self.subject.patience
        seconds = 0.0 if patience is None else patience.real_seconds()
        why = memory.given_up.setdefault(
            self.action,
            f"gave up on {self.what} after {seconds:.0f} s and {calls} calls, still {operation.status}: CloudFormation"
            f" waits for {self.minutes} min, and --patience SECONDS waits longer",
        )
        recorder.leave_gap(_CLAUSE, self.action, why)
        raise BlockedError(why)

    @property
    def _has_waited(self) -> bool:
        """Whether the handler got all the time that the operation in progress asked for."""
        return self.subject.patience is None or not self.subject.patience.has_skipped
