"""One test's bench over a hook: it asks the handlers about targets and judges every answer."""

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

from formwork.contract.bench import Bench, BlockedError, error_code
from formwork.contract.events import UNFINISHED
from formwork.contract.findings import Finding
from formwork.contract.following import Followed
from formwork.contract.hook_events import check_hook_exchange, concerned_hook_clauses
from formwork.contract.hook_inputs import HookCase
from formwork.contract.hook_subject import HookSubject
from formwork.contract.hook_targets import HookTarget, InvocationPoint
from formwork.invoke import Exchange, Operation, OperationEnd
from formwork.invoke.retrying import retriable_code
from formwork.invoke.vocabulary import SKIP_STACK_HOOK

# A hook's schema has no timeoutInMinutes: this is the longest that CloudFormation waits for any handler, 36 hours.
_MINUTES = 2160


class HookTrial(Bench):
    """The bench of one test over one hook."""

    def __init__(self, subject: HookSubject, *, on_exchange: Callable[[str, Exchange], None] | None = None) -> None:
        super().__init__()
        self.subject = subject
        self._on_exchange = on_exchange
        self._target = ""  # what was asked about last

    def ask(
        self, point: InvocationPoint, target: HookTarget, case: HookCase, *, expects_failure: bool = False
    ) -> Operation:
        """One question to its final event, every answer judged; `expects_failure` where any failure is an answer.

        Raises:
            BlockedError: this handler hung or went on for ever too often already.
        """
        subject, memory = self.subject, self.subject.memory
        if (why := memory.why_not_called(point, subject.limits)) is not None:
            raise BlockedError(why)
        self._target = target.name
        what = f"{point.handler} for {target.name}"
        request = subject.session.hook_request(point, target.name, case.model, target_type=target.kind)
        followed = Followed(subject, point, what, _MINUTES)
        operation = followed.follow(request, self._retry_delays(point), hear=partial(self._take, point, what))
        followed.judge_end(self, operation)
        if not expects_failure:
            self._judge_persisting(point, what, operation)
        return operation

    def _retry_delays(self, point: InvocationPoint) -> tuple[float, ...]:
        """None where retries of the handler are known not to help."""
        limits = self.subject.limits
        return () if self.subject.memory.persisting.get(point, 0) >= limits.repeats else limits.retry_delays

    def _judge_persisting(self, point: InvocationPoint, what: str, operation: Operation) -> None:
        """A retriable failure that no retry helps is not a judgement of the target.

        Raises:
            BlockedError: recorded.
        """
        code = retriable_code(operation.event)
        if code is None:
            return
        persisting = self.subject.memory.persisting
        if operation.tries > 1:
            persisting[point] = persisting.get(point, 0) + 1
            message = f"{what} is FAILED with {code} each of the {operation.tries} times that the request was sent"
            self.violate("hook.targets", message, [operation])
            raise BlockedError(f"{what} keeps failing with {code}")
        times = persisting.get(point, 0)
        raise BlockedError(f"{what} is FAILED with {code}, which retries did not help {times} times before")

    def violate(self, clause: str, message: str, *shown: Any, **more: Any) -> None:
        """Record that `clause` is not kept; see Bench. It is said of the target that was asked about last."""
        super().violate(clause, message, *shown, **more)
        self.record.findings[-1] = self._with_target(self.record.findings[-1])

    def _with_target(self, finding: Finding) -> Finding:
        named = self._target and self._target in finding.message
        return dataclasses.replace(finding, targets=(self._target,)) if named else finding

    def _take(self, point: InvocationPoint, what: str, exchange: Exchange) -> None:
        self.record.exchanges.append(exchange)
        if self._on_exchange is not None:
            self._on_exchange(point, exchange)
        findings = check_hook_exchange(exchange, seconds=self.subject.limits.read_seconds, what=what)
        self.record.findings += [self._with_target(each) for each in findings]
        self.hold(*concerned_hook_clauses(exchange) - {each.clause for each in findings})
        self.subject.memory.count_late(point, exchange, self.subject.limits.read_seconds)


def passed(operation: Operation) -> bool:
    """Whether the hook let the target through; only of change sets by saying that stacks need no hooks any more."""
    status = (operation.event or {}).get("hookStatus")
    skips = status == SKIP_STACK_HOOK and operation.final.request["requestData"]["targetType"] == "CHANGE_SET"
    return operation.end is OperationEnd.ANSWERED and (status == "SUCCESS" or skips)


def refused(operation: Operation) -> bool:
    """Whether the hook stopped the target."""
    return (operation.event or {}).get("hookStatus") == "FAILED"


def outcome(operation: Operation) -> str:
    """How the question ended, in words."""
    if refused(operation):
        said = str((operation.event or {}).get("message") or "")
        return f"FAILED with {error_code(operation) or 'no error code'}" + (f": {said}" if said else "")
    if operation.status in UNFINISHED:
        return f"{operation.status} without an end"
    return operation.status or "no event"
