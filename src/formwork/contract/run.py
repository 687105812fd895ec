"""A run of the suite over the subjects of a project: which tests, in which order, what stops them, what is kept.

`contract_runs.running` runs it as it is; `contract.plugin` is the same run with pytest around it.
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.contract.recording import StopTestError
from formwork.contract.requirement import REQUIREMENTS, Body, Requirement
from formwork.contract.run_order import PlannedTest, RunOrder
from formwork.contract.scheduling import TurnScheduler
from formwork.contract.subject import AnySubject
from formwork.contract.suite import (
    applies,
    publish_judged,
    publish_permissions,
    run_finished,
    run_requirement,
    run_started,
)
from formwork.contract_results.run_events import Publish, RunEvent, TestFinished, TestStarted, publish_nothing
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.test_result import TestResult
from formwork.invoke import Exchange, ProblemKind

# What AWS Lambda calls it when a function's code cannot be loaded.
_DOES_NOT_LOAD = frozenset(
    {
        "Runtime.ImportModuleError",
        "Runtime.UserCodeSyntaxError",
        "Runtime.HandlerNotFound",
        "Runtime.MalformedHandlerName",
    }
)
_ENOUGH = 5


class ContractRun:
    """Runs the suite over subjects (one an input set) and keeps the results.

    `plan` says which tests run, `judge` runs one of them by its place in the plan, `finish` ends the run; `run` is all
    three. `stopped` says why no further test was worth running, None where all were. `tells_interrupts` says whether
    the caller reports an interrupt to the user.
    """

    def __init__(  # noqa: PLR0913 - what a run consists of
        self,
        subjects: Sequence[tuple[str, AnySubject]],
        *,
        scheduler: TurnScheduler | None = None,
        at_a_time: int = 1,
        overlap: bool = False,
        publish: Publish = publish_nothing,
        on_interrupt: Callable[[], None] | None = None,
        includes: Callable[[Requirement, str], bool] = lambda _requirement, _inputs: True,
    ) -> None:
        """`at_a_time` tests are in progress at once; with `scheduler`, what the subjects' sessions wait by.

        `overlap`: their invocations overlap as well. `publish` receives the events of the run. `on_interrupt` is called
        once when the user stops the run (KeyboardInterrupt), before what the tests created is deleted. `includes`
        decides from a test and the name of an input set whether to run it.
        """
        self.subjects = list(subjects)
        self.result = SuiteResult()
        self.interrupted = False
        self.stopped: str | None = None
        self.tells_interrupts = on_interrupt is not None
        self._scheduler = scheduler
        self._at_a_time = at_a_time
        self._overlap = overlap
        self._publish_outside = publish
        self._on_interrupt = on_interrupt
        self._includes = includes
        self._plan: list[tuple[Requirement, int]] = []
        self._order: RunOrder | None = None
        self._reported: set[int] = set()  # the places of the tests whose results are in `result`
        self._started = time.perf_counter()

    def wants(self, requirement: Requirement, subject: int) -> bool:
        """Return whether the subject of that number has the handlers of the test, and the caller includes it."""
        name, found = self.subjects[subject]
        return applies(requirement, found) and self._includes(requirement, name)

    def all_tests(self) -> list[tuple[Requirement, int]]:
        """Return every test that is wanted, and the number of its subject, in the order in which pytest finds them."""
        subjects = range(len(self.subjects))
        requirements = sorted(REQUIREMENTS.values(), key=lambda each: each.module)
        return [(each, subject) for each in requirements for subject in subjects if self.wants(each, subject)]

    def plan(self, tests: Sequence[tuple[Requirement, int]]) -> None:
        """Plan the tests with these subjects, concurrently if several may be in progress, and publish the start."""
        self._plan = list(tests)
        inputs = tuple(name for name, _ in self.subjects)
        self._publish(run_started(self.subjects[0][1], inputs=inputs, tests=len(self._plan)))
        self._started = time.perf_counter()
        if self._scheduler is not None and self._at_a_time > 1:
            work = [PlannedTest(requirement, self.subjects[subject][1]) for requirement, subject in self._plan]
            self._order = RunOrder(
                work, self._scheduler, at_a_time=self._at_a_time, overlap=self._overlap, run=self._run
            )

    def run(self) -> None:
        """Run all tests that are wanted; none after the one whose result makes further ones useless.

        A run that the user interrupts ends in order: what its tests made is deleted, and the result says so.

        Raises:
            FormworkError: the handlers can't be invoked.
            KeyboardInterrupt: the user interrupted the end, too.
        """
        self.plan(self.all_tests())
        try:
            for place in range(len(self._plan)):
                self.judge(place)
                if self.stopped is not None:
                    break
        except KeyboardInterrupt:
            self.interrupt()
        finally:
            self.finish()

    def judge(self, place: int) -> TestResult:
        """Run the test at `place` of the plan, or wait for it, and keep its result.

        Raises:
            FormworkError: the handlers can't be invoked.
            KeyboardInterrupt: the user stopped the run.
        """
        requirement, subject = self._plan[place]
        try:
            if self._order is None:
                result = self._run(requirement, self.subjects[subject][1])
            else:
                result = self._order.result(place)
        except KeyboardInterrupt:
            self.interrupt()
            raise
        result = self._keep(place, result)
        if self.interrupted:
            raise KeyboardInterrupt
        self.stopped = why_hopeless([each for test in self.result.tests for each in test.exchanges])
        return result

    def interrupt(self) -> None:
        """Note that the user stopped the run."""
        if self.interrupted:
            return
        self.interrupted = True
        if self._on_interrupt is not None:
            self._on_interrupt()

    def finish(self) -> None:
        """Stop the tests in progress, which delete their resources, and publish the end of the run."""
        if self._order is not None:
            self._order.stop()
            if self.interrupted:
                self._keep_finished(self._order)
        seconds = time.perf_counter() - self._started
        subject = self.subjects[0][1]
        publish_permissions(subject, self.result.tests, self._publish)
        self._publish(run_finished(subject, self.result.tests, seconds=seconds, interrupted=self.interrupted))

    def _publish(self, event: RunEvent) -> None:
        self.result.receive(event)
        self._publish_outside(event)

    def _keep_finished(self, order: RunOrder) -> None:
        """Keep the results of tests that ended before the interrupt, and that were not asked for yet."""
        for place in range(len(self._plan)):
            if place not in self._reported and (found := order.finished(place)) is not None:
                self._keep(place, found)

    def _keep(self, place: int, found: TestResult) -> TestResult:
        """Add the result to the run's, under the name of its input set where there are several."""
        if len(self.subjects) > 1:
            name, _ = self.subjects[self._plan[place][1]]
            found = replace(found, name=f"{found.name}[{name}]")
        self._reported.add(place)
        publish_judged(found, self._publish)
        return found

    def _run(self, requirement: Requirement, subject: AnySubject) -> TestResult:
        self._publish_outside(TestStarted(requirement.name))
        stoppable = replace(requirement, body=self._stoppable(requirement.body))
        try:
            return run_requirement(stoppable, subject, publish=self._publish_outside)
        finally:
            self._publish_outside(TestFinished(requirement.name))

    def _stoppable(self, body: Body) -> Body:
        """Return `body` made stoppable: on Ctrl-C its resources are deleted and its findings kept."""

        def run(test: Any) -> None:
            try:
                with self._scheduler.stoppable() if self._scheduler is not None else contextlib.nullcontext():
                    body(test)
            except KeyboardInterrupt:
                self.interrupt()
                raise StopTestError("the run was stopped") from None

        return run


def why_hopeless(exchanges: Sequence[Exchange]) -> str | None:
    """Return why further tests are useless: the handlers fail to load, or fail equally on every call; else None."""
    if not exchanges or any(each.event is not None for each in exchanges):
        return None
    failures = {each.problem for each in exchanges}
    (failure, *others) = failures
    if others or failure is None or failure.kind is not ProblemKind.FUNCTION_ERROR:
        return None
    actions = {each.request.get("action") or each.request.get("actionInvocationPoint") for each in exchanges}
    if failure.error_type in _DOES_NOT_LOAD or (len(exchanges) >= _ENOUGH and len(actions) > 1):
        return f"every call ends the same way: {failure.message}"
    return None
