"""The verdict on each clause: it is proved only if its requirement passed on a live resource.

A test records that a clause *held*. That alone proves nothing: a handler that answers every request with NotFound keeps
`read.missing`. So a clause also needs marks, which tests record where an action succeeded on a live resource.

The reasons are in docs/decisions/0520 and 0522.
"""

from collections.abc import Iterable, Mapping, Sequence

from formwork.contract import permissions
from formwork.contract.marks import ANSWER, CREATE, DELETE, LIST, READ, UPDATE, WRITE_ONLY, why_missing
from formwork.contract.requirement import REQUIREMENTS
from formwork.contract.subject import AnySubject, ResourceSubject
from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.findings import ClauseResult, ClauseState, Undecided
from formwork.contract_results.test_result import TestResult
from formwork.extensions import ExtensionKind

# What must have worked for a clause to count as proved, besides a create (a resource) or an answer (a hook): of every
# clause about updates an update, about deletes a delete, and what is listed here.
_GROUPS = {"update": UPDATE, "delete": DELETE}
_MARKS: Mapping[str, frozenset[str]] = {
    "create.one": frozenset({LIST}),
    "update.one": frozenset({LIST}),
    "delete.read": frozenset({READ}),
    "delete.update": frozenset({UPDATE}),
    "delete.list": frozenset({LIST}),
    "delete.leak": frozenset({LIST}),
    "read.missing": frozenset({READ}),
    "list.ends": frozenset({LIST}),
    "list.token": frozenset({LIST}),
    "event.writeonly": frozenset({WRITE_ONLY}),
}
# Clauses about IN_PROGRESS events, which a handler need not answer with: the actions whose events they are about.
_WRITES = ("CREATE", "UPDATE", "DELETE")
_IN_PROGRESS: Mapping[str, tuple[str, ...]] = {
    "event.progress.quiet": _WRITES,
    "event.delay": _WRITES,
    "create.partial": ("CREATE",),
    "update.partial": ("UPDATE",),
    "delete.progress": ("DELETE",),
    "practice.redelivery": _WRITES,
    "hook.progress": (),
}
_WORST_FIRST = (ClauseState.NOT_TESTED, ClauseState.NOT_PROVABLE, ClauseState.NOT_APPLICABLE)


def judge_clauses(subject: AnySubject, results: Sequence[TestResult]) -> tuple[ClauseResult, ...]:
    """Return the state of every clause that applies to the subject's kind of extension, in order."""
    findings = [finding for test in results for finding in test.findings]
    violated = {finding.clause for finding in findings if finding.is_violation}
    warned = {finding.clause for finding in findings if not finding.is_violation}
    return tuple(
        _judge_clause(clause, subject, results, violated=violated, warned=warned)
        for clause in CLAUSES
        if subject.concerns(clause)
    )


def _judge_clause(
    clause: str, subject: AnySubject, results: Sequence[TestResult], *, violated: Iterable[str], warned: Iterable[str]
) -> ClauseResult:
    """Return the state of one clause after a run; `violated` and `warned` are the clauses with findings."""
    tests = tuple(name for name, each in REQUIREMENTS.items() if clause in each.clauses)
    if clause in violated:
        return ClauseResult(clause, ClauseState.VIOLATED, tests=tests)
    if clause in warned:
        return ClauseResult(clause, ClauseState.WARNED, tests=tests)
    found = _why_not_proved(clause, subject, results, tests)
    if found is None:
        return ClauseResult(clause, ClauseState.PROVED, tests=tests)
    return ClauseResult(clause, found.state, found.reason, tests)


def _why_not_proved(
    clause: str, subject: AnySubject, results: Sequence[TestResult], tests: Sequence[str]
) -> Undecided | None:
    """Return why the clause is not proved; None where it is."""
    held = [each.held[clause] for each in results if clause in each.held]
    if not held:
        return _undecided(clause, subject, results, tests)
    gap = _gap(clause, subject, results)
    if gap is not None:
        return gap
    worked = {mark for each in results for mark in each.worked}
    tried = {mark for each in results for mark in each.tried}
    of_hook = subject.kind is ExtensionKind.HOOK
    # Of a selection of the tests none may try an action that is marked: nothing speaks against the answer then.
    wanted = {mark for mark in _marks_of(clause) if mark == WRITE_ONLY or mark in tried}
    always = wanted | {ANSWER if of_hook else CREATE}
    # A resource's clause is shown by any one of its tests; a hook's test is about one of its handlers.
    lacking = [(always | marks) - worked for marks in held]
    lacking = [marks for marks in lacking if marks]
    if not lacking or (len(lacking) < len(held) and not of_hook):
        return None
    return why_missing(lacking[0], tried=tried)


def _marks_of(clause: str) -> set[str]:
    own = _GROUPS.get(clause.partition(".")[0])
    return {*_MARKS.get(clause, ()), *([own] if own is not None else [])}


def _gap(clause: str, subject: AnySubject, results: Sequence[TestResult]) -> Undecided | None:
    """Return a part of the clause that no test decided; of a hook also a test that a handler kept from its end."""
    filled = {part for each in results for part in each.filled}
    gaps = [gap for each in results for part, gap in each.gaps.items() if part[0] == clause and part not in filled]
    if subject.kind is ExtensionKind.HOOK:
        open_ones = (each.open[clause] for each in results if clause in each.open)
        gaps += [each for each in open_ones if each.state is ClauseState.NOT_TESTED]
    return gaps[0] if gaps else None


def _undecided(clause: str, subject: AnySubject, results: Sequence[TestResult], tests: Sequence[str]) -> Undecided:
    """Return why no test could judge the clause."""
    if (reason := CLAUSES[clause].unprovable) is not None:
        return Undecided(ClauseState.NOT_PROVABLE, reason)
    if (reason := _why_not_applicable(clause, subject, results, tests)) is not None:
        return Undecided(ClauseState.NOT_APPLICABLE, reason)
    reasons = [test.open[clause] for test in results if clause in test.open]
    if reasons:
        return min(reasons, key=lambda each: _WORST_FIRST.index(each.state))
    if clause.startswith("event.") or not tests:
        return Undecided(ClauseState.NOT_TESTED, "no answer that it speaks of was given")
    return Undecided(ClauseState.NOT_TESTED, "no test that ran decides it")


def _why_not_applicable(
    clause: str, subject: AnySubject, results: Sequence[TestResult], tests: Sequence[str]
) -> str | None:
    """Return why the clause demands nothing of the type or of these handlers; None where it may."""
    if (missing := _missing_handler(clause, subject, tests)) is not None:
        return f"the schema has no {missing} handler"
    if clause == "event.writeonly" and isinstance(subject, ResourceSubject) and not subject.schema.write_only:
        return "the schema has no writeOnlyProperties"
    if clause in permissions.CLAUSES and all(clause not in each.open for each in results):
        return permissions.why_not_judged(results)
    if _never_in_progress(clause, results):
        return "no handler answered IN_PROGRESS, which it need not"
    return None


def _missing_handler(clause: str, subject: AnySubject, tests: Sequence[str]) -> str | None:
    """Return a missing handler that the clause is about, or that all its tests need; None if there is none."""
    group = clause.partition(".")[0]
    if group in {"create", "update", "delete", "read", "list"} and not subject.has(group):
        return group
    sets = [
        [each for each in REQUIREMENTS[name].handlers if not subject.has(each)]
        for name in tests
        if not REQUIREMENTS[name].adapts
    ]
    return sets[0][0] if sets and all(sets) else None


def _never_in_progress(clause: str, results: Sequence[TestResult]) -> bool:
    """Return whether the clause is about IN_PROGRESS events and no handler, although working, answered with one."""
    if clause not in _IN_PROGRESS:
        return False
    worked = {mark for each in results for mark in each.worked}
    unfinished = {each.request.get("action") for test in results for each in test.exchanges if each.unfinished}
    if ANSWER in worked:
        return not unfinished
    actions = set(_IN_PROGRESS[clause])
    return bool(worked & actions) and not unfinished & actions
