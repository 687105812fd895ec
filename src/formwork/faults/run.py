"""A run of all scenarios of a type's handlers, as the events of a contract run."""

import time
from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.contract.memory import Effort
from formwork.contract.subject import ResourceSubject
from formwork.contract_results.clauses import CLAUSES as ALL_CLAUSES
from formwork.contract_results.findings import ClauseResult, ClauseState, Finding
from formwork.contract_results.run_events import (
    FindingReported,
    HandlerInvoked,
    Publish,
    RunFinished,
    RunStarted,
    TestFinished,
    TestJudged,
    TestStarted,
)
from formwork.contract_results.test_result import TestResult
from formwork.egress.faults.injector import Injector
from formwork.faults.judging import CLAUSES, ScenarioJudge
from formwork.faults.operations import OperationRunner
from formwork.faults.scenario import Scenario, WantedFaults, planned
from formwork.faults.sound import Life, SoundLife
from formwork.faults.world import World
from formwork.invoke import Exchange

_ENDLESS = 2  # operations without an end, of one action, after which the others of the action are left out


class FaultRun(Struct):
    """Runs the scenarios of one subject; afterwards `notes` lists what was not injected, as lines."""

    subject: ResourceSubject
    injector: Injector
    world: World
    wanted: WantedFaults
    publish: Publish
    notes: list[str] = field(default_factory=list)
    _results: list[TestResult] = field(default_factory=list)
    _endless: dict[str, int] = field(default_factory=dict)

    def run(self) -> None:
        """Run all scenarios, and publish their results.

        Raises:
            BadInputError: the handlers don't succeed without failures.
        """
        started = time.perf_counter()
        subject = self.subject
        runner = OperationRunner(subject.session, self.injector, subject.patience, self._hear)
        life = Life(subject, runner, self.world)
        sound = life.observe()
        effort = subject.effort if not self.wanted.scenarios else Effort.THOROUGH
        scenarios, left_out = planned(sound.seen, self.wanted, effort)
        self.publish(RunStarted(subject.schema.type_name, subject.seed, subject.masker, ("faults",), len(scenarios)))
        missed: list[str] = []
        for scenario in scenarios:
            if self._endless.get(scenario.action, 0) >= _ENDLESS:
                missed.append(str(scenario))
                continue
            self._run_one(life, sound, scenario, missed)
        self._publish_results()
        self._note(sound, left_out, missed)
        seconds = time.perf_counter() - started
        complete = not self.wanted.scenarios
        self.publish(RunFinished(self._clauses(), seconds, sampled=tuple(self.notes), complete=complete))

    def _run_one(self, life: Life, sound: SoundLife, scenario: Scenario, missed: list[str]) -> None:
        name = str(scenario)
        self.publish(TestStarted(name))
        started = time.perf_counter()
        judge = ScenarioJudge(life, sound, scenario)
        judge.run()
        if not judge.is_clean:
            self.world.reset()
            life.warm(sound)
        record = judge.record
        if any(each.clause == "faults.end" for each in record.findings):
            self._endless[scenario.action] = self._endless.get(scenario.action, 0) + 1
        skipped = None
        if not judge.injected:
            missed.append(name)
            skipped = "the call did not come: nothing was injected"
        self._results.append(
            TestResult(
                name,
                () if skipped else tuple(record.findings),
                tuple(record.exchanges),
                (),
                time.perf_counter() - started,
                skipped,
                held={} if skipped else record.held,
            )
        )
        self.publish(TestFinished(name))

    def _hear(self, action: str, exchange: Exchange) -> None:
        self.publish(HandlerInvoked(action, exchange))

    def _publish_results(self) -> None:
        for result, findings in zip(self._results, smallest(self._results), strict=True):
            for finding in findings:
                self.publish(FindingReported(result.name, finding))
            self.publish(TestJudged(replace(result, findings=findings)))

    def _note(self, sound: SoundLife, left_out: Sequence[str], missed: Sequence[str]) -> None:
        calls = {call.name for seen in sound.seen.values() for call in seen}
        if not calls:
            self.notes.append("no call leaves the handlers, as far as the gate sees: nothing was injected")
        self.notes += [f"not injected: {each}" for each in left_out]
        self.notes += [f"not injected: {each}" for each in missed]
        if sound.noise:
            self.notes.append(f"kept after every delete, and not judged: {', '.join(sorted(sound.noise))}")
        self.notes += [
            f"not seen, so that nothing is known of what is left there: {each}" for each in self.world.unseen
        ]

    def _clauses(self) -> tuple[ClauseResult, ...]:
        findings = [each for result in self._results for each in result.findings]
        violated = {each.clause for each in findings if each.is_violation}
        warned = {each.clause for each in findings}
        held = {clause for result in self._results for clause in result.held}
        return tuple(_state(clause, violated, warned, held) for clause in CLAUSES)


def _state(clause: str, violated: set[str], warned: set[str], held: set[str]) -> ClauseResult:
    assert clause in ALL_CLAUSES
    if clause in violated:
        return ClauseResult(clause, ClauseState.VIOLATED)
    if clause in warned:
        return ClauseResult(clause, ClauseState.WARNED)
    if clause in held:
        return ClauseResult(clause, ClauseState.PROVED)
    return ClauseResult(clause, ClauseState.NOT_TESTED, "no operation of this run shows it")


def smallest(results: Sequence[TestResult]) -> list[tuple[Finding, ...]]:
    """Return the findings of each result, equal ones on other calls of an action merged into the first.

    One finding for each clause, action and kind of failure; its message names the other calls.
    """
    kept: dict[tuple[str, ...], tuple[int, Finding, list[str]]] = {}
    for place, result in enumerate(results):
        action, _, rest = result.name.partition("/")
        named, _, fault = rest.rpartition("/")
        for finding in result.findings:
            said = finding.message.partition(": ")[2].partition(":")[0]
            key = (finding.clause, finding.level, action, fault, said)
            if key in kept:
                kept[key][2].append(named.rpartition("#")[0])
            else:
                kept[key] = (place, finding, [])
    found: list[list[Finding]] = [[] for _ in results]
    for place, finding, others in kept.values():
        also = ", ".join(dict.fromkeys(f"`{each}`" for each in others))
        message = f"{finding.message}; and so with {also}" if also else finding.message
        found[place].append(replace(finding, message=message))
    return [tuple(each) for each in found]
