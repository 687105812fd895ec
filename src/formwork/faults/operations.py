"""Operations with a failure in them, and what CloudFormation does then: retries, and the same request once more."""

from collections.abc import Callable

from msgspec import Struct, field

from formwork.contract.models import Model
from formwork.contract.patience import Patience
from formwork.egress.faults.fault import Injection
from formwork.egress.faults.injector import Injector
from formwork.egress.faults.observing import SeenCall
from formwork.invoke import Exchange, HandlerSession, Operation, OperationEnd

MOST_CALLS = 60  # of one operation, in which the failure passes after one or a few
_RETRY_DELAYS = (0.02, 0.05, 0.1, 0.2)  # four retries, as CloudFormation's, and shorter
_DELIVERIES = 3


class FaultyOperation(Struct):
    """An operation with all its invocations.

    `hit` says of each whether a call in it failed by injection, `again` from which on the request was delivered again
    since the process had been killed. `injected` counts the failures, `seen` are the calls.
    """

    operation: Operation
    exchanges: list[Exchange] = field(default_factory=list)
    hit: list[bool] = field(default_factory=list)
    again: int | None = None
    injected: int = 0
    seen: tuple[SeenCall, ...] = ()

    @property
    def final(self) -> Exchange:
        """The last invocation."""
        return self.exchanges[-1]

    @property
    def succeeded(self) -> bool:
        """Whether it ended with SUCCESS."""
        return self.operation.succeeded

    @property
    def has_no_end(self) -> bool:
        """Whether it was still IN_PROGRESS when it was given up, or an invocation did not answer in its time."""
        problem = self.final.problem
        return self.operation.end is OperationEnd.REINVOKE_LIMIT or (problem is not None and problem.timed_out)

    @property
    def passed(self) -> bool:
        """Whether the last invocation came after the failure: nothing was injected into it."""
        return any(self.hit) and not self.hit[-1]


class OperationRunner(Struct, frozen=True):
    """Runs operations of one type; `hear` receives each invocation with its action."""

    session: HandlerSession
    injector: Injector
    patience: Patience | None
    hear: Callable[[str, Exchange], None]

    def run(
        self,
        action: str,
        desired: Model,
        previous: Model | None = None,
        *,
        injection: Injection | None = None,
        next_token: str | None = None,
    ) -> FaultyOperation:
        """Run an operation as CloudFormation does: retries, callbacks, and a killed request delivered again."""
        exchanges: list[Exchange] = []
        hit: list[bool] = []
        request = self.session.request(action, desired, previous, next_token=next_token)
        self.injector.begin(injection)
        injected = 0

        def hear(exchange: Exchange) -> None:
            nonlocal injected
            exchanges.append(exchange)
            hit.append(self.injector.injected > injected)
            injected = self.injector.injected
            self.injector.next_invocation()
            self.hear(action, exchange)

        again = None
        if self.patience is not None:
            self.patience.begin()
        operation = self._drive(request, hear)
        for _ in range(_DELIVERIES):
            if operation.problem is None or not operation.problem.killed:
                break
            again = len(exchanges) if again is None else again
            operation = self._drive(operation.final.request, hear)
        done = FaultyOperation(operation, exchanges, hit, again, self.injector.injected, tuple(self.injector.seen))
        self.injector.begin()
        return done

    def _drive(self, request: Model, hear: Callable[[Exchange], None]) -> Operation:
        return self.session.drive(request, max_reinvoke=MOST_CALLS, retry_delays=_RETRY_DELAYS, hear=hear)
