"""Running requirements over a subject, and what came of it."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from formwork.contract import requirements as _requirements  # noqa: F401 - importing them registers them
from formwork.contract.bench import BlockedError, NotApplicableError, NotProvableError, StopTestError
from formwork.contract.causes import finding_key, merge_findings
from formwork.contract.clauses import CLAUSES, Level
from formwork.contract.coverage import HandlerCoverage
from formwork.contract.derived_names import remember_earlier_resources
from formwork.contract.findings import ClauseState, Finding
from formwork.contract.hook_subject import HookSubject
from formwork.contract.hook_trial import HookTrial
from formwork.contract.models import has_identifier
from formwork.contract.requirement import REQUIREMENTS, Requirement
from formwork.contract.subject import Subject
from formwork.contract.test_result import TestResult
from formwork.contract.trial import Trial
from formwork.contract.verdict import ClauseResult, judge_clause
from formwork.instances import UnsatisfiableError
from formwork.invoke import Exchange

AnySubject: TypeAlias = Subject | HookSubject


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
        if isinstance(trial, Trial):
            remember_earlier_resources(trial)
        requirement.body(trial)
    except NotApplicableError as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            trial.not_applicable(clause, skipped)
    except (NotProvableError, UnsatisfiableError) as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            trial.not_provable(clause, skipped)
    except BlockedError as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            trial.not_tested(clause, skipped)
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
        tuple(merge_findings(record.findings)),
        tuple(record.exchanges),
        tuple(record.leftovers),
        time.perf_counter() - started,
        skipped,
        held=record.held,
        worked=frozenset(record.worked),
        tried=frozenset(record.tried),
        open=record.open,
        gaps=record.gaps,
        filled=frozenset(record.filled),
    )


def open_trial(
    subject: AnySubject, name: str, *, on_exchange: Callable[[str, Exchange], None] | None = None
) -> Trial | HookTrial:
    """The bench for the test `name` over `subject`."""
    if isinstance(subject, HookSubject):
        return HookTrial(subject, on_exchange=on_exchange)
    return Trial(subject, inputs=subject.inputs.fork(name), on_exchange=on_exchange)


@dataclass(slots=True)
class SuiteResult:
    """The results of all tests that ran; `wall` are the seconds by the clock where tests overlap.

    `inputs` are the names of the input sets. `root` is the project's folder, for short paths in the report.
    `planned` tests were to run; not all of them did where the run was `interrupted` by its user. `library` is the
    language whose library of AWS's the handlers use, None where they use ours. `coverage` is that of the handlers' own
    code, None where it was not asked for.
    """

    subject: AnySubject
    tests: list[TestResult] = field(default_factory=list)
    inputs: tuple[str, ...] = ()
    planned: int = 0
    interrupted: bool = False
    wall: float | None = None
    library: str | None = None
    root: str = ""
    coverage: HandlerCoverage | None = None

    @property
    def seconds(self) -> float:
        """How long the run took: by the clock, or what its tests took together."""
        return sum(each.seconds for each in self.tests) if self.wall is None else self.wall

    @property
    def findings(self) -> list[Finding]:
        """All findings, each once, violations first."""
        places = {clause: place for place, clause in enumerate(CLAUSES)}
        once = merge_findings(each for test in self.tests for each in test.findings)
        return sorted(once, key=lambda each: (each.level is not Level.MUST, places[each.clause]))

    @property
    def violated(self) -> frozenset[str]:
        """The ids of the clauses that are violated."""
        return frozenset(each.clause for test in self.tests for each in test.findings if each.is_violation)

    @property
    def warned(self) -> frozenset[str]:
        """The ids of the clauses with a warning."""
        return frozenset(each.clause for test in self.tests for each in test.findings if not each.is_violation)

    @property
    def proved(self) -> frozenset[str]:
        """The ids of the clauses that are proved."""
        return frozenset(each.clause for each in self.clauses() if each.state is ClauseState.PROVED)

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
        """Whether no MUST is violated."""
        return not self.violated

    def tests_with(self, finding: Finding) -> list[str]:
        """The tests that found it."""
        key = finding_key(finding)
        return [test.name for test in self.tests if any(finding_key(each) == key for each in test.findings)]

    def clauses(self) -> list[ClauseResult]:
        """Every clause that speaks of the subject's kind of extension, in order."""
        violated, warned = self.violated, self.warned
        return [
            judge_clause(clause, self.subject, self.tests, violated=violated, warned=warned)
            for clause in CLAUSES
            if self.subject.concerns(clause)
        ]


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
