"""Runs tests concurrently: they overlap where they wait, and findings are confirmed by running the test alone.

A test starts when no other has the turn, so that tests that never wait run one after another in their order, as they do
without any of this. Findings that neighbours can cause (a list that grew, a name that was taken) are looked for again
while no other test runs: only what is found then counts.

The reasons are in docs/decisions/0506 and 0531.
"""

import contextlib
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import CancelledError, Future
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from formwork.contract.memory import Effort
from formwork.contract.requirement import Requirement
from formwork.contract.scheduling import TurnScheduler
from formwork.contract.subject import AnySubject
from formwork.contract.suite import run_requirement
from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import Finding
from formwork.contract_results.test_result import TestResult

# What a service says that has too much to do at a time.
_CROWDED = frozenset({"ServiceLimitExceeded", "Throttling", "ResourceConflict"})
_PATIENCE = 30.0  # seconds that tests have to clean up after a stop

Run: TypeAlias = Callable[[Requirement, AnySubject], TestResult]


class PlannedTest(Struct, frozen=True):
    """One test over one subject."""

    requirement: Requirement
    subject: AnySubject

    @property
    def claims(self) -> frozenset[str]:
        """Return the names that only one test at a time may use."""
        return self.subject.claims(several=self.requirement.several)

    @property
    def comes_first(self) -> bool:
        """Return whether other tests need this one's result: whether two resources may have equal inputs."""
        return self.requirement.several and self.subject.asks_for_twins


class RunOrder:
    """Runs the tests of a run, `at_a_time` of them in progress; results are asked for in any order.

    `overlap`: their invocations overlap too, so that the pages of a list may be of different moments.
    """

    def __init__(
        self,
        work: Sequence[PlannedTest],
        turns: TurnScheduler,
        *,
        at_a_time: int,
        overlap: bool = False,
        run: Run = run_requirement,
    ) -> None:
        self._work = list(work)
        self._turns = turns
        self._run = run
        self._overlap = overlap
        self._futures: list[Future[TestResult]] = [Future() for _ in self._work]
        self._changed = threading.Condition()
        self._free = at_a_time
        self._claimed: dict[int, frozenset[str]] = {}  # what each test that is in progress has claimed
        self._running: set[int] = set()
        self._accompanied: set[int] = set()  # tests that were not alone all the time
        self._settled: set[tuple[str, Level]] = set()  # what some test found alone: no neighbour has to be ruled out
        self._stopped = False
        self._threads: list[threading.Thread] = []
        self._dispatcher: threading.Thread | None = None

    def _shown_with_another(self, place: int) -> TestResult | None:
        """Return the result of a test that is left to another input set because creates are slow; None if it must run.

        The tests are distributed evenly over the input sets.
        """
        work = self._work[place]
        subject = work.subject
        slow = subject.effort is Effort.QUICK and subject.creates_slowly
        if work.requirement.each_input or not slow:
            return None
        alike = [other for other, each in enumerate(self._work) if each.requirement is work.requirement]
        turn = list(dict.fromkeys(each.requirement.name for each in self._work)).index(work.requirement.name)
        if alike[turn % len(alike)] == place:
            return None
        why = "creates are slow, and another input set shows the same; --effort thorough tests with each"
        return TestResult(work.requirement.name, (), (), (), 0.0, skipped=why)

    def _test(self, place: int) -> TestResult:
        work = self._work[place]
        return self._shown_with_another(place) or self._run(work.requirement, work.subject)

    def result(self, place: int) -> TestResult:
        """Return the result of test number `place`, waiting for it; the first call starts all tests.

        Raises:
            FormworkError: the handlers can't be invoked.
        """
        if self._dispatcher is None:
            self._dispatcher = threading.Thread(target=self._dispatch, name="formwork-tests", daemon=True)
            self._dispatcher.start()
        work = self._work[place]
        if work.requirement.alone:
            self._await_all()
            return self._run_alone(place)
        found = self._futures[place].result()
        if self._stopped or place not in self._accompanied or not needs_solitude(found, self._settled):
            return found
        self._await_all()
        if work.subject.has_given_up:  # some handler is not called again: alone, the test would find nothing
            return found
        alone = self._run_alone(place)
        self._settled |= {(each.clause, each.level) for each in alone.findings}
        return confirmed(found, alone, overlap=self._overlap)

    def finished(self, place: int) -> TestResult | None:
        """Return the result of test number `place` if it has ended and needs no confirmation; never waits."""
        future = self._futures[place]
        if not future.done() or future.cancelled() or future.exception() is not None:
            return None
        found = future.result()
        return None if place in self._accompanied and needs_solitude(found, self._settled) else found

    def stop(self) -> None:
        """Start no more tests, and wait until those in progress have cleaned up."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._turns.stop()
        if self._dispatcher is not None:  # first, since it starts the others
            self._dispatcher.join(_PATIENCE)
        for each in self._threads:
            each.join(_PATIENCE)

    def _run_alone(self, place: int) -> TestResult:
        self._turns.take()
        try:
            return self._test(place)
        finally:
            self._turns.give()

    def _await_all(self) -> None:
        for each, future in zip(self._work, self._futures, strict=True):
            if not each.requirement.alone:
                with contextlib.suppress(CancelledError):
                    future.exception()

    def _dispatch(self) -> None:
        waiting = [place for place, each in enumerate(self._work) if not each.requirement.alone]
        waiting.sort(key=lambda place: not self._work[place].comes_first)
        while waiting:
            with self._changed:
                while not self._stopped and (place := self._next(waiting)) is None:
                    self._changed.wait()
                if self._stopped:
                    break
                assert place is not None
                waiting.remove(place)
                self._free -= 1
                self._claimed[place] = self._work[place].claims
            self._turns.take()
            with self._changed:
                self._running.add(place)
                if len(self._running) > 1:
                    self._accompanied |= self._running
            self._turns.bequeath()
            thread = threading.Thread(target=self._carry_out, args=(place,), daemon=True)
            thread.start()
            self._threads.append(thread)
        for place in waiting:
            self._futures[place].cancel()

    def _next(self, waiting: Sequence[int]) -> int | None:
        if not self._free:
            return None
        taken = frozenset().union(*self._claimed.values())
        return next((each for each in waiting if not self._work[each].claims & taken), None)

    def _carry_out(self, place: int) -> None:
        self._turns.inherit()
        future = self._futures[place]
        try:
            if self._stopped:
                future.cancel()
                return
            future.set_result(self._test(place))
        except BaseException as error:  # noqa: BLE001 - the thread that asks for the result gets it
            future.set_exception(error)
        finally:
            with self._changed:
                self._free += 1
                del self._claimed[place]
                self._running.discard(place)
                self._changed.notify_all()
            self._turns.give()


def needs_solitude(result: TestResult, settled: Collection[tuple[str, Level]] = ()) -> bool:
    """Return whether concurrent tests may have caused the test's findings, or prevented some.

    `settled` are findings of other tests that ran alone; findings on single answers (event.*) need no confirmation.
    """
    if any(
        not each.clause.startswith("event.") and (each.clause, each.level) not in settled for each in result.findings
    ):
        return True
    return any((each.event or {}).get("errorCode") in _CROWDED for each in result.exchanges)


def _doubted(finding: Finding) -> Finding:
    if finding.clause.startswith("event."):
        return finding
    message = f"{finding.message} (seen while other tests were at work, and not again)"
    return replace(finding, level=Level.SHOULD, message=message)


def confirmed(found: TestResult, alone: TestResult, *, overlap: bool = False) -> TestResult:
    """Return the findings of the test run alone, with those earlier ones that no concurrent test can have caused."""
    known = {each.clause for each in alone.findings}
    kept = [
        _doubted(each)
        for each in found.findings
        if each.clause not in known and (each.clause.startswith("event.") or not overlap)
    ]
    return replace(
        alone,
        findings=(*alone.findings, *kept),
        leftovers=(*found.leftovers, *alone.leftovers),
        exchanges=(*found.exchanges, *alone.exchanges),
        seconds=found.seconds + alone.seconds,
    )
