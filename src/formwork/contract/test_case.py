"""One test over one subject, of any kind: handlers are called within limits, and every answer is judged.

The reasons are in docs/decisions/0501.
"""

from collections.abc import Collection, Iterable
from typing import Generic, TypeVar

from formwork.contract.recording import BlockedError, FindingRecorder
from formwork.contract.subject import AnySubject
from formwork.contract_results.findings import Finding
from formwork.contract_results.run_events import HandlerInvoked, Publish, publish_nothing
from formwork.invoke import Exchange, Operation
from formwork.invoke.retrying import retriable_code

SubjectT = TypeVar("SubjectT", bound=AnySubject)


class ContractTestCase(FindingRecorder, Generic[SubjectT]):
    """The interface of tests of all kinds of extensions; `action` is a request's, or a hook's invocation point."""

    def __init__(self, subject: SubjectT, *, publish: Publish = publish_nothing) -> None:
        super().__init__()
        self.subject = subject
        self._publish = publish

    def expect_called(self, action: str) -> None:
        """Raise if the action is not called again.

        Raises:
            BlockedError: its handler was late, or did not end, too often already.
        """
        if (why := self.subject.memory.why_not_called(action, self.subject.limits)) is not None:
            raise BlockedError(why)

    def retry_delays(self, action: str) -> tuple[float, ...]:
        """Return the seconds before each retry; none where retries of the action are known not to help."""
        limits = self.subject.limits
        return () if self.subject.memory.persisting.get(action, 0) >= limits.repeats else limits.retry_delays

    def keep_exchange(self, action: str, exchange: Exchange) -> None:
        """Keep and publish an exchange."""
        self.record.exchanges.append(exchange)
        self._publish(HandlerInvoked(action, exchange))

    def keep_judgement(self, findings: Collection[Finding], concerned: Iterable[str]) -> None:
        """Record the findings on an answer, and that it keeps the other `concerned` clauses."""
        self.record.findings += findings
        self.hold(*sorted(set(concerned) - {finding.clause for finding in findings}))

    def judge_persisting(self, action: str, what: str, clause: str, operation: Operation) -> None:
        """Stop the test at a retriable failure that no retry fixed: it answers nothing that the test asks.

        Raises:
            BlockedError: the operation failed so; recorded under `clause`, `what` names the handler.
        """
        code = retriable_code(operation.event)
        if code is None:
            return
        persisting = self.subject.memory.persisting
        if operation.tries > 1:
            persisting[action] = persisting.get(action, 0) + 1
            message = f"{what} is FAILED with {code} each of the {operation.tries} times that the request was sent"
            self.violate(clause, message, [operation])
            raise BlockedError(f"{what} keeps failing with {code}")
        times = persisting.get(action, 0)
        raise BlockedError(f"{what} kept failing with {code} {times} times before, and is not retried any more")
