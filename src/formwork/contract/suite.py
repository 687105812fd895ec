"""Running requirements over a subject, and what came of it."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from formwork.contract import requirements as _requirements  # noqa: F401 - importing them registers them
from formwork.contract.bench import NotApplicableError, NotProvableError, StopTestError
from formwork.contract.clauses import CLAUSES, Level
from formwork.contract.findings import ClauseState, Finding
from formwork.contract.hook_subject import HookSubject
from formwork.contract.hook_trial import HookTrial
from formwork.contract.models import has_identifier
from formwork.contract.requirement import REQUIREMENTS, Requirement
from formwork.contract.subject import Subject
from formwork.contract.trial import Trial
from formwork.instances import UnsatisfiableError
from formwork.invoke import Exchange

AnySubject: TypeAlias = Subject | HookSubject

# Clauses about certain events only, which no test asks for: the action and the status of those events.
_EVENTS_OF = {"read.model": ("READ", "SUCCESS"), "delete.progress": ("DELETE", "IN_PROGRESS")}


@dataclass(frozen=True, slots=True)
class TestResult:
    """What one test found: findings, the clauses proved, those left open and why, and what it left behind."""

    __test__ = False  # no test class, whatever pytest thinks of its name

    name: str
    findings: tuple[Finding, ...]
    proved: tuple[str, ...]
    open: dict[str, tuple[bool, str]]
    exchanges: tuple[Exchange, ...]
    leftovers: tuple[dict[str, Any], ...]
    seconds: float
    skipped: str | None = None

    @property
    def violations(self) -> tuple[Finding, ...]:
        """The findings that fail the run."""
        return tuple(each for each in self.findings if each.is_violation)


def applies(requirement: Requirement, subject: AnySubject) -> bool:
    """Whether the schema has the handlers that the test needs."""
    return all(subject.has(handler) for handler in requirement.handlers)


def run_requirement(
    requirement: Requirement, subject: AnySubject, *, on_exchange: Callable[[str, Exchange], None] | None = None
) -> TestResult:
    """One test, cleaned up after."""
    subject.before_test()
    trial = open_trial(subject, requirement.name, on_exchange=on_exchange)
    started = time.perf_counter()
    skipped = None
    try:
        requirement.body(trial)
    except NotApplicableError as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            trial.not_applicable(clause, skipped)
    except (NotProvableError, UnsatisfiableError) as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            trial.not_provable(clause, skipped)
    except StopTestError as reason:
        skipped = str(reason)
    finally:
        try:
            trial.clean_up()
        except StopTestError as reason:
            skipped = skipped or str(reason)
    record = trial.record
    subject.memory.violated |= {each.clause for each in record.findings if each.is_violation}
    return TestResult(
        requirement.name,
        _once(record.findings),
        tuple(record.proved),
        record.open,
        tuple(record.exchanges),
        tuple(record.leftovers),
        time.perf_counter() - started,
        skipped,
    )


def open_trial(
    subject: AnySubject, name: str, *, on_exchange: Callable[[str, Exchange], None] | None = None
) -> Trial | HookTrial:
    """The bench for the test `name` over `subject`."""
    if isinstance(subject, HookSubject):
        return HookTrial(subject, on_exchange=on_exchange)
    return Trial(subject, inputs=subject.inputs.fork(name), on_exchange=on_exchange)


def _once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple({each.key: each for each in reversed(list(findings))}.values())[::-1]


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """What the run says of one clause; `reason` says why where it is neither proved nor violated."""

    clause: str
    state: ClauseState
    reason: str = ""
    tests: tuple[str, ...] = ()


@dataclass(slots=True)
class SuiteResult:
    """The results of all tests that ran; `wall` are the seconds by the clock where tests overlap.

    `library` is the language whose library of AWS's the handlers use, None where they use ours.
    """

    subject: AnySubject
    tests: list[TestResult] = field(default_factory=list)
    wall: float | None = None
    library: str | None = None

    @property
    def seconds(self) -> float:
        """How long the run took: by the clock, or what its tests took together."""
        return sum(each.seconds for each in self.tests) if self.wall is None else self.wall

    @property
    def findings(self) -> list[Finding]:
        """All findings, each once, violations first."""
        once = {each.key: each for test in reversed(self.tests) for each in reversed(test.findings)}
        return sorted(once.values(), key=lambda each: (each.level is not Level.MUST, list(CLAUSES).index(each.clause)))

    @property
    def violated(self) -> frozenset[str]:
        """The ids of the clauses that are violated."""
        return frozenset(each.clause for each in self.findings if each.is_violation)

    @property
    def warned(self) -> frozenset[str]:
        """The ids of the clauses with a warning."""
        return frozenset(each.clause for each in self.findings if not each.is_violation)

    @property
    def leftovers(self) -> list[dict[str, Any]]:
        """The identifiers of what could not be deleted."""
        return [each for test in self.tests for each in test.leftovers]

    @property
    def nameless(self) -> int:
        """How many resources, at least, were made that no answer and no request names: nothing can delete them."""
        subject = self.subject
        if isinstance(subject, HookSubject):
            return 0
        created = (
            each
            for test in self.tests
            for each in test.exchanges
            if each.status == "SUCCESS" and each.request.get("action") == "CREATE"
        )
        return sum(
            not has_identifier(subject.schema, (each.event or {}).get("resourceModel"))
            and not subject.knows_identifier(each.request["requestData"].get("resourceProperties") or {})
            for each in created
        )

    @property
    def passed(self) -> bool:
        """Whether no MUST is violated and at least one test ran to its end."""
        return not self.violated

    def tests_with(self, finding: Finding) -> list[str]:
        """The tests that found it."""
        return [test.name for test in self.tests if any(each.key == finding.key for each in test.findings)]

    def clauses(self) -> list[ClauseResult]:
        """Every clause that speaks of the subject's kind of extension, in order."""
        return [self._clause(clause) for clause in CLAUSES if self.subject.concerns(clause)]

    def _clause(self, clause: str) -> ClauseResult:
        tests = tuple(name for name, each in REQUIREMENTS.items() if clause in each.clauses)
        if clause in self.violated:
            return ClauseResult(clause, ClauseState.VIOLATED, tests=tests)
        if clause in self.warned:
            return ClauseResult(clause, ClauseState.WARNED, tests=tests)
        if any(clause in test.proved for test in self.tests) or self._judged(clause):
            return ClauseResult(clause, ClauseState.PROVED, tests=tests)
        reason = CLAUSES[clause].unprovable
        if reason is not None:
            return ClauseResult(clause, ClauseState.NOT_PROVABLE, reason, tests)
        return self._undecided(clause, tests)

    def _judged(self, clause: str) -> bool:
        """Whether events that the clause speaks of came by: every event is judged, whichever test it is of."""
        if clause in _EVENTS_OF:
            action, status = _EVENTS_OF[clause]
            exchanges = (each for test in self.tests for each in test.exchanges)
            return any(each.request.get("action") == action and each.status == status for each in exchanges)
        return clause.startswith("event.") and bool(self.tests)

    def _undecided(self, clause: str, tests: tuple[str, ...]) -> ClauseResult:
        group = clause.partition(".")[0]
        if group in {"create", "update", "delete", "read", "list"} and not self.subject.has(group):
            return ClauseResult(clause, ClauseState.NOT_APPLICABLE, f"the schema has no {group} handler", tests)
        reasons = [test.open[clause] for test in self.tests if clause in test.open]
        for applicable, reason in reasons:
            state = ClauseState.NOT_PROVABLE if applicable else ClauseState.NOT_APPLICABLE
            return ClauseResult(clause, state, reason, tests)
        missing = [
            handler for name in tests for handler in REQUIREMENTS[name].handlers if not self.subject.has(handler)
        ]
        if missing:
            return ClauseResult(clause, ClauseState.NOT_APPLICABLE, f"the schema has no {missing[0]} handler", tests)
        if clause == "delete.progress" and any("delete.empty" in test.proved for test in self.tests):
            return ClauseResult(clause, ClauseState.NOT_PROVABLE, "no delete answered IN_PROGRESS", tests)
        return ClauseResult(clause, ClauseState.NOT_TESTED, "no test that ran decides it", tests)


def run_suite(
    subject: AnySubject,
    *,
    names: Iterable[str] | None = None,
    on_exchange: Callable[[str, Exchange], None] | None = None,
) -> SuiteResult:
    """All tests that apply, or those named, in this process and without pytest."""
    wanted = REQUIREMENTS if names is None else {name: REQUIREMENTS[name] for name in names}
    result = SuiteResult(subject)
    for requirement in wanted.values():
        if applies(requirement, subject):
            result.tests.append(run_requirement(requirement, subject, on_exchange=on_exchange))
    return result
