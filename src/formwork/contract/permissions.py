"""Whether the permissions of each handler are those that its calls of AWS need, judged over a whole run.

Sources: `handlers.*.permissions` (seeds 000 and 004), the execution role (seed 002). The reasons are in
docs/decisions/1329.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from formwork.contract.recording import FindingRecorder
from formwork.contract.subject import AnySubject
from formwork.contract_results.test_result import WHOLE_RUN, TestResult
from formwork.egress.iam_actions import needs_no_permission
from formwork.invoke import Exchange
from formwork.lambda_host.outgoing_calls import AnsweredBy, OutgoingCall
from formwork.schema.permissions import grants, is_broad, is_iam_action

CLAUSES = ("permissions.missing", "permissions.unused", "permissions.broad")
_UNSEALED = "the handlers have the machine's network: a client that ignores the gate is not seen"
_MOST_NAMED = 6
# What AWS checks without a call of that name: a service encrypts for its caller, takes a role, makes its own, or tags
# what a create makes.
_UNSEEN = re.compile(
    r"kms:.*|iam:(PassRole|CreateServiceLinkedRole)|[a-z0-9-]+:(?!List|Get|Describe)\w*Tag\w*", re.IGNORECASE
)


def missing_of(declared: Iterable[str], used: Iterable[str]) -> list[str]:
    """Return the actions that were used and that none of the declared permissions contains."""
    permissions = list(declared)
    return [action for action in used if not any(grants(each, action) for each in permissions)]


def unused_of(declared: Iterable[str], used: Iterable[str]) -> list[str]:
    """Return the permissions that contain no action that was used; those that no call of its own shows aside."""
    actions = list(used)
    return [
        each
        for each in declared
        if is_iam_action(each) and not _UNSEEN.fullmatch(each) and not any(grants(each, action) for action in actions)
    ]


class HandlerUse(Struct):
    """What the calls of one handler used: each action with the first exchange and call that did.

    `unknown` are calls of AWS whose actions are not known, `answered` whether AWS or its stand-in answered any.
    """

    declared: tuple[str, ...]
    used: dict[str, tuple[Exchange, OutgoingCall]] = field(default_factory=dict)
    unknown: dict[str, Exchange] = field(default_factory=dict)
    answered: bool = False

    def add(self, exchange: Exchange, call: OutgoingCall) -> None:
        """Take a call of AWS into account."""
        if call.aws is None:
            return
        self.answered = self.answered or call.answered_by is not AnsweredBy.REFUSED
        for action in call.aws.actions:
            self.used.setdefault(action, (exchange, call))
        if not call.aws.actions and not needs_no_permission(call.aws):
            self.unknown.setdefault(call.name, exchange)

    @property
    def missing(self) -> list[str]:
        """The actions that it used and that none of its permissions contains."""
        return missing_of(self.declared, self.used)

    @property
    def unused(self) -> list[str]:
        """The permissions that contain no action that it used; those that no call of its own shows aside."""
        return unused_of(self.declared, self.used)


def permissions_used(subject: AnySubject, exchanges: Iterable[Exchange]) -> dict[str, HandlerUse]:
    """Return what each handler of the schema used, by its name there, in the schema's order."""
    found = {name: HandlerUse(declared) for name, declared in subject.permissions.items()}
    for exchange in exchanges:
        use = found.get(subject.handler_of(exchange.request) or "")
        for call in exchange.answer.calls or ():
            if use is not None:
                use.add(exchange, call)
    return found


def judge_permissions(subject: AnySubject, tests: Sequence[TestResult], *, complete: bool) -> TestResult | None:
    """Return the findings of a run's calls as those of a test; None where no call of AWS was seen.

    `complete` says that all tests ran: without that nothing is called unused.
    """
    exchanges = [exchange for test in tests for exchange in test.exchanges]
    uses = permissions_used(subject, exchanges)
    if not any(use.used or use.unknown for use in uses.values()):
        return None
    recorder = FindingRecorder()
    _judge_missing(recorder, uses, sealed=all(each.answer.sealed for each in exchanges))
    if complete:
        _judge_unused(recorder, uses)
    else:
        recorder.not_provable("permissions.unused", "not all tests ran, so that some calls may be missing")
    _judge_broad(recorder, uses)
    record = recorder.record
    return TestResult(WHOLE_RUN, tuple(record.findings), (), (), 0.0, held=record.held, open=record.open)


def why_not_judged(tests: Sequence[TestResult]) -> str:
    """Return why the calls of a run say nothing of permissions."""
    seen = any(exchange.answer.calls is not None for test in tests for exchange in test.exchanges)
    return "no handler called AWS" if seen else "the calls of these handlers pass no gate"


def _judge_missing(recorder: FindingRecorder, uses: dict[str, HandlerUse], *, sealed: bool) -> None:
    kept = True
    for name, use in uses.items():
        for action in use.missing:
            exchange, call = use.used[action]
            kept = False
            message = f"{name} calls {call.name}, and its permissions lack {action}"
            recorder.violate("permissions.missing", message, [exchange])
    unknown = [f"{name} calls {call}" for name, use in uses.items() for call in use.unknown]
    if unknown:
        why = f"the actions of some calls are not known: {'; '.join(unknown[:_MOST_NAMED])}"
        recorder.not_provable("permissions.missing", why)
    elif not sealed:
        recorder.not_provable("permissions.missing", _UNSEALED)
    elif kept:
        recorder.hold("permissions.missing")


def _judge_unused(recorder: FindingRecorder, uses: dict[str, HandlerUse]) -> None:
    """Judge unused permissions of handlers whose calls were answered; others may have stopped before later calls."""
    judged = {name: use for name, use in uses.items() if use.answered and not use.unknown}
    if not judged:
        recorder.not_provable("permissions.unused", "no call of AWS was answered, or the actions of some are not known")
        return
    for name, use in judged.items():
        if unused := use.unused:
            more = f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
            what = f"{', '.join(unused[:_MOST_NAMED])}{more}"
            message = f"{name} has permissions that no call of this run used: {what}; a branch may not have run"
            recorder.violate("permissions.unused", message)
    if len(judged) == len(uses):
        recorder.hold("permissions.unused")
    else:
        others = ", ".join(name for name in uses if name not in judged)
        recorder.not_provable("permissions.unused", f"no call of {others} was answered")


def _judge_broad(recorder: FindingRecorder, uses: dict[str, HandlerUse]) -> None:
    for name, use in uses.items():
        for permission in filter(is_broad, use.declared):
            known = sorted(action for action in use.used if grants(permission, action))
            if known:
                message = f"{name} has the permission {permission}; this run used {', '.join(known[:_MOST_NAMED])}"
                recorder.violate("permissions.broad", message)
    recorder.hold("permissions.broad")
