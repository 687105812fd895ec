"""Runs requirements on subjects, and publishes the results as events."""

import time
from collections.abc import Iterable, Sequence

from formwork.contract import requirements as _requirements  # noqa: F401 - importing them registers them
from formwork.contract.derived_names import remember_earlier_resources
from formwork.contract.hook_case import HookTestCase
from formwork.contract.permissions import judge_permissions
from formwork.contract.recording import BlockedError, NotApplicableError, NotProvableError, StopTestError
from formwork.contract.requirement import REQUIREMENTS, Requirement
from formwork.contract.resource_case import ResourceTestCase
from formwork.contract.subject import AnySubject, HookSubject
from formwork.contract.verdict import judge_clauses
from formwork.contract_results.causes import merge_findings
from formwork.contract_results.run_events import (
    FindingReported,
    Publish,
    RunFinished,
    RunStarted,
    TestJudged,
    publish_nothing,
)
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.test_result import TestResult
from formwork.instances import UnsatisfiableError


def applies(requirement: Requirement, subject: AnySubject) -> bool:
    """Return whether the schema has the handlers that the test needs."""
    return all(subject.has(handler) for handler in requirement.handlers)


def run_requirement(requirement: Requirement, subject: AnySubject, *, publish: Publish = publish_nothing) -> TestResult:
    """Run one test, and delete what it created."""
    subject.before_test()
    test = open_test_case(subject, requirement.name, publish=publish)
    started = time.perf_counter()
    skipped = None
    try:
        if isinstance(test, ResourceTestCase):
            remember_earlier_resources(test)
        requirement.body(test)
    except NotApplicableError as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            test.not_applicable(clause, skipped)
    except (NotProvableError, UnsatisfiableError) as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            test.not_provable(clause, skipped)
    except BlockedError as reason:
        skipped = str(reason)
        for clause in requirement.clauses:
            test.not_tested(clause, skipped)
    except StopTestError as reason:
        skipped = str(reason)
    finally:
        try:
            test.clean_up()
        except StopTestError as reason:
            skipped = skipped or str(reason)
    record = test.record
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


def open_test_case(
    subject: AnySubject, name: str, *, publish: Publish = publish_nothing
) -> ResourceTestCase | HookTestCase:
    """Return what the test `name` works with."""
    if isinstance(subject, HookSubject):
        return HookTestCase(subject, publish=publish)
    return ResourceTestCase(subject, inputs=subject.inputs.fork(name), publish=publish)


def run_started(subject: AnySubject, *, inputs: tuple[str, ...] = (), tests: int = 0) -> RunStarted:
    """Return the first event of a run over `subject`, or over several of the same type."""
    return RunStarted(subject.schema.type_name, subject.seed, subject.masker, inputs, tests)


def publish_judged(result: TestResult, publish: Publish) -> None:
    """Publish the final result of a test, after its findings."""
    for finding in result.findings:
        publish(FindingReported(result.name, finding))
    publish(TestJudged(result))


def publish_permissions(subject: AnySubject, tests: Sequence[TestResult], publish: Publish) -> None:
    """Publish what the calls of all tests say of the handlers' permissions, as the result of one more test."""
    found = judge_permissions(subject, tests, complete=_is_complete(subject, tests))
    if found is not None:
        publish_judged(found, publish)


def run_finished(
    subject: AnySubject, tests: Sequence[TestResult], *, seconds: float | None = None, interrupted: bool = False
) -> RunFinished:
    """Return the last event of a run; `seconds` by the clock, or None for what its tests took together."""
    return RunFinished(
        judge_clauses(subject, tests),
        sum(test.seconds for test in tests) if seconds is None else seconds,
        nameless=subject.nameless(exchange for test in tests for exchange in test.exchanges),
        given_up=tuple(subject.memory.given_up.values()),
        sampled=subject.sampled(),
        complete=_is_complete(subject, tests),
        interrupted=interrupted,
    )


def _is_complete(subject: AnySubject, tests: Iterable[TestResult]) -> bool:
    """Return whether every test that applies ran."""
    ran = {test.name.partition("[")[0] for test in tests}
    return all(name in ran for name, each in REQUIREMENTS.items() if applies(each, subject))


def collect(subject: AnySubject, tests: Iterable[TestResult]) -> SuiteResult:
    """Return the result of a run over `subject` in which `tests` ran."""
    result = SuiteResult()
    result.receive(run_started(subject))
    for test in tests:
        publish_judged(test, result.receive)
    publish_permissions(subject, result.tests, result.receive)
    result.receive(run_finished(subject, result.tests))
    return result


def run_suite(
    subject: AnySubject, *, names: Iterable[str] | None = None, publish: Publish = publish_nothing
) -> SuiteResult:
    """Run all tests that apply, or those named, in this process and without pytest."""
    wanted = REQUIREMENTS if names is None else {name: REQUIREMENTS[name] for name in names}
    chosen = [requirement for requirement in wanted.values() if applies(requirement, subject)]
    return collect(subject, (run_requirement(requirement, subject, publish=publish) for requirement in chosen))
