"""Operations whose every callback is delivered twice: AWS Lambda promises "at least once", and no more."""

from collections.abc import Sequence

from msgspec import Struct

from formwork.contract.models import Model, identity_of
from formwork.contract.outcomes import model_of, outcome
from formwork.contract.recording import BlockedError, NotApplicableError, error_code
from formwork.contract.resource_case import ResourceTestCase
from formwork.invoke import Exchange, Operation, OperationEnd

_MOST_CALLS = 40


class Redelivered(Struct, frozen=True):
    """An operation, and the answers to the second delivery of each of its callbacks."""

    operation: Operation
    again: tuple[Operation, ...]

    @property
    def shown(self) -> list[Operation]:
        """The exchanges to show in a finding, including the last deliveries."""
        return [self.operation, *self.again[-2:]]


def deliver_twice(test: ResourceTestCase, action: str, desired: Model, previous: Model | None = None) -> Redelivered:
    """Drive an operation as the service does, and deliver each of its callbacks a second time before the next."""
    session = test.subject.session
    followed = test.followed(action)
    followed.begin()
    chain = [test.send_once(action, test.request(action, desired, previous))]
    again: list[Operation] = []
    while chain[-1].unfinished and len(chain) < _MOST_CALLS and followed.has_time_left():
        session.wait(chain[-1].event or {})
        request = session.next_request(chain[-1])
        chain.append(test.send_once(action, request))
        with test.probing():
            again.append(_alone(test.send_once(action, request)))
    operation = Operation(tuple(chain), OperationEnd.ANSWERED)
    if action == "CREATE":
        test.note_created(desired, operation)
    return Redelivered(operation, tuple(again))


def expect_callbacks(done: Redelivered) -> Redelivered:
    """Return an operation that has callbacks, and an end.

    Raises:
        NotApplicableError: it succeeded without callbacks.
        BlockedError: it did not end, or failed at once.
    """
    if not done.again and done.operation.succeeded:
        raise NotApplicableError("the handler answers without an IN_PROGRESS event, so that there is no callback")
    if not done.again:
        raise BlockedError(f"the operation did not succeed ({outcome(done.operation)})")
    if done.operation.final.unfinished:
        calls = len(done.operation.exchanges)
        raise BlockedError(f"the operation is still {done.operation.status} after {calls} calls")
    return done


def judge_redelivered(test: ResourceTestCase, action: str, done: Redelivered, *, allowed: Sequence[str] = ()) -> bool:
    """`practice.redelivery`: neither delivery fails; `allowed` are error codes that a late delivery may have."""
    failed = [each for each in (*done.again, done.operation) if not _is_fine(each, allowed)]
    code = error_code(failed[0]) if failed else None
    message = f"{action} fails where a callback is delivered twice: {code}"
    return test.judge("practice.redelivery", not failed, message, [done.operation, *failed[:1]])


def others_made(test: ResourceTestCase, done: Redelivered) -> list[Operation]:
    """Return the second deliveries that answer with another resource than the operation made."""
    made = identity_of(test.schema, model_of(done.operation))
    return [
        each
        for each in done.again
        if (identity := identity_of(test.schema, model_of(each))) is not None
        and identity != made
        and each.status != "FAILED"
    ]


def _is_fine(operation: Operation, allowed: Sequence[str]) -> bool:
    return operation.event is not None and (operation.status != "FAILED" or error_code(operation) in allowed)


def _alone(exchange: Exchange) -> Operation:
    return Operation((exchange,), OperationEnd.ANSWERED)
