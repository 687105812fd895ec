"""One test over a hook: it asks the handlers about targets."""

from functools import partial
from typing import Any

from msgspec.structs import replace

from formwork.contract import outcomes
from formwork.contract.answers import check_hook_exchange, concerned_hook_clauses
from formwork.contract.following import Followed
from formwork.contract.hook_inputs import HookCase
from formwork.contract.hook_targets import InvocationPoint, TargetUnderTest
from formwork.contract.subject import HookSubject
from formwork.contract.test_case import ContractTestCase
from formwork.contract_results.findings import Finding
from formwork.invoke import Exchange, Operation, OperationEnd
from formwork.invoke.vocabulary import SKIP_STACK_HOOK

# A hook's schema has no timeoutInMinutes: this is the longest that CloudFormation waits for any handler, 36 hours.
_MINUTES = 2160


class HookTestCase(ContractTestCase[HookSubject]):
    """One test over one hook."""

    _target = ""  # what was asked about last

    def ask(
        self, point: InvocationPoint, target: TargetUnderTest, case: HookCase, *, expects_failure: bool = False
    ) -> Operation:
        """Ask one question and follow it to its final event; `expects_failure` where any failure is an answer.

        Raises:
            BlockedError: this handler was late, or did not end, too often already.
        """
        self.expect_called(point)
        self._target = target.name
        what = f"{point.handler} for {target.name}"
        request = self.subject.session.hook_request(point, target.name, case.model, target_type=target.kind)
        followed = Followed(self.subject, point, what, _MINUTES)
        operation = followed.follow(request, self.retry_delays(point), hear=partial(self._take, point, what))
        followed.judge_end(self, operation)
        if not expects_failure:
            self.judge_persisting(point, what, "hook.targets", operation)
        return operation

    def violate(self, clause: str, message: str, *shown: Any, **more: Any) -> None:
        """Record that `clause` is not kept: see FindingRecorder. The finding names the target asked about last."""
        super().violate(clause, message, *shown, **more)
        self.record.findings[-1] = self._with_target(self.record.findings[-1])

    def _with_target(self, finding: Finding) -> Finding:
        named = self._target and self._target in finding.message
        return replace(finding, targets=(self._target,)) if named else finding

    def _take(self, point: InvocationPoint, what: str, exchange: Exchange) -> None:
        seconds = self.subject.limits.read_seconds
        self.keep_exchange(point, exchange)
        findings = check_hook_exchange(exchange, seconds=seconds, what=what)
        self.keep_judgement([self._with_target(each) for each in findings], concerned_hook_clauses(exchange))
        self.subject.memory.count_late(point, exchange, seconds)


def passed(operation: Operation) -> bool:
    """Whether the hook let the target through; only of change sets by saying that stacks need no hooks any more."""
    status = (operation.event or {}).get("hookStatus")
    skips = status == SKIP_STACK_HOOK and operation.final.request["requestData"]["targetType"] == "CHANGE_SET"
    return operation.end is OperationEnd.ANSWERED and (status == "SUCCESS" or skips)


def refused(operation: Operation) -> bool:
    """Return whether the hook stopped the target."""
    return (operation.event or {}).get("hookStatus") == "FAILED"


def outcome(operation: Operation) -> str:
    """Return how the question ended, in words, with the message of a refusal."""
    said = str((operation.event or {}).get("message") or "") if refused(operation) else ""
    return outcomes.outcome(operation) + (f": {said}" if said else "")
