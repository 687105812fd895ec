"""Root causes of findings: what several of them have in common is reported once, before them.

From the strongest to the weakest: a habit of AWS's handler library, an exception of the handler's own (in its log), a
process that hung or died, one and the same FAILED answer, the same property missing or different in the same action.
The last two are causes only of several findings: alone, the finding's own message says as much.

The reasons are in docs/decisions/0511.
"""

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from formwork.contract_results.findings import ABSENT, Finding, normalized
from formwork.contract_results.libraries import cause_of
from formwork.contract_results.traces import Trace, find_trace
from formwork.diagnostics import parse_pointer
from formwork.invoke import Exchange

# Codes by which runtimes answer for a handler that raised something other than a handler error.
_RAISED = frozenset({"InternalFailure", "HandlerInternalFailure", "GeneralServiceException", "Unknown"})
_REQUEST_ID = re.compile(r"RequestId: \S+ (?:Error: )?")


class Cause(Struct, frozen=True):
    """A root cause in one line; `trace` is the exception where it is one. `shared`: only said of several findings."""

    text: str
    trace: Trace | None = None
    shared: bool = False

    @property
    def key(self) -> object:
        """A key that is equal for equal causes, whatever values their texts quote."""
        if self.trace is not None and self.trace.frame is not None:
            return self.trace.frame, self.trace.error.partition(":")[0]
        return normalized(self.text)


class FindingGroup(Struct, frozen=True):
    """Findings of one level with one root cause; `cause` is None for a finding that speaks for itself."""

    cause: Cause | None
    findings: tuple[Finding, ...]


def find_trace_of(finding: Finding) -> Trace | None:
    """The exception that the handler raised in the last of the finding's invocations that failed, if its log shows it.

    An exception that a handler logged and answered otherwise is not a cause.
    """
    for exchange in reversed(finding.exchanges):
        if _has_raised(exchange) and (found := find_trace(exchange.answer.log)) is not None:
            return found
    return None


def finding_key(finding: Finding) -> object:
    """Return a key, equal for the same finding, with the same exception, in other tests and for other targets."""
    if not finding.targets:
        return finding.key
    trace = find_trace_of(finding)
    return finding.key, None if trace is None else trace.frame or normalized(trace.error)


def merge_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return each finding once, in the order of their first; one that several targets share has all of them."""
    once: dict[object, Finding] = {}
    targets: dict[object, dict[str, None]] = {}
    for finding in findings:
        key = finding_key(finding)
        once.setdefault(key, finding)
        targets.setdefault(key, {}).update(dict.fromkeys(finding.targets))
    return [replace(each, targets=tuple(targets[key])) for key, each in once.items()]


def group_findings(findings: Iterable[Finding], *, library: str | None = None, root: str = "") -> list[FindingGroup]:
    """Return the findings in their order, those with one cause together; violations and warnings apart.

    `library` is the language whose library of AWS's the handlers use; `root` the project's folder, for short paths.
    """
    groups: dict[object, list[tuple[Cause | None, Finding]]] = {}
    for number, finding in enumerate(findings):
        cause = _find_cause(finding, library, root)
        key: object = number if cause is None else (cause.key, finding.level)
        groups.setdefault(key, []).append((cause, finding))
    return [_group(members) for members in groups.values()]


def _group(members: list[tuple[Cause | None, Finding]]) -> FindingGroup:
    cause = members[0][0]
    if cause is not None and cause.shared and len(members) == 1:
        cause = None
    return FindingGroup(cause, tuple(finding for _, finding in members))


def _has_raised(exchange: Exchange) -> bool:
    if exchange.event is None:
        return True
    return exchange.status == "FAILED" and exchange.event.get("errorCode") in _RAISED


def _find_cause(finding: Finding, library: str | None, root: str) -> Cause | None:
    trace = find_trace_of(finding)
    if (habit := cause_of(finding, library)) is not None:
        return Cause(habit, trace)
    if trace is not None:
        return Cause(f"{trace.error} at {trace.frame.render(root)}" if trace.frame else trace.error, trace)
    last = finding.exchanges[-1] if finding.exchanges else None
    if last is not None and last.problem is not None:
        return Cause(f"{_action(last)} gives no answer: {_REQUEST_ID.sub('', last.problem.message)}")
    if last is None:
        return None
    if last.status == "FAILED" and last.event is not None:
        said = last.event.get("message")
        code = last.event.get("errorCode")
        return Cause(f"{_action(last)} is FAILED with {code}" + (f": {said}" if said else ""), shared=True)
    return _difference_cause(finding, last)


def _difference_cause(finding: Finding, last: Exchange) -> Cause | None:
    """Return what differs in the last answer, by the names of properties."""
    names = dict.fromkeys(_top(each.pointer) for each in finding.differences)
    if not names or "" in names:
        return None
    missing = all(each.actual is ABSENT for each in finding.differences)
    said = "leaves out" if missing else "answers an unexpected value of"
    return Cause(f"{_action(last)} {said} {', '.join(names)}", shared=True)


def _top(pointer: str) -> str:
    """Return the property that a pointer leads into."""
    steps = [each for each in parse_pointer(pointer) if each not in ("resourceModel", "resourceModels")]
    return next((each for each in steps if not each.isdecimal()), "")


def _action(exchange: Exchange) -> str:
    request = exchange.request
    return str(request.get("action") or request.get("actionInvocationPoint") or "the handler")
