"""The result of a run, collected from its events."""

from typing import Any

from msgspec import Struct, field

from formwork.contract_results.causes import finding_key, merge_findings
from formwork.contract_results.clauses import CLAUSES, Level
from formwork.contract_results.coverage import HandlerCoverage
from formwork.contract_results.findings import ClauseResult, ClauseState, Finding
from formwork.contract_results.run_events import FindingReported, RunEvent, RunFinished, RunStarted, TestJudged
from formwork.contract_results.test_result import TestResult
from formwork.invoke.masking import Masker
from formwork.lambda_host.outgoing_calls import UNSEEN_CLIENTS


class SuiteResult(Struct):
    """The results of a run; `receive` adds an event. `clauses` is empty until the run has finished.

    `library` is the language whose library of AWS's the handlers use, None where they use ours; `root` the project's
    folder, for short paths in the report; `coverage` that of the handlers' own code, None where it was not asked for.
    All three are added by the caller.
    """

    started: RunStarted = field(default_factory=lambda: RunStarted("", 0, lambda: Masker(())))
    finished: RunFinished = field(default_factory=lambda: RunFinished((), 0.0))
    tests: list[TestResult] = field(default_factory=list)
    library: str | None = None
    root: str = ""
    coverage: HandlerCoverage | None = None
    _found: list[FindingReported] = field(default_factory=list)

    def receive(self, event: RunEvent) -> None:
        """Add what `event` says."""
        match event:
            case RunStarted():
                self.started = event
            case FindingReported():
                self._found.append(event)
            case TestJudged():
                self.tests.append(event.result)
            case RunFinished():
                self.finished = event
            case _:
                pass

    @property
    def clauses(self) -> tuple[ClauseResult, ...]:
        """Every clause that applies to the kind of extension, in order, with its state."""
        return self.finished.clauses

    @property
    def unsealed(self) -> str | None:
        """Which clients could pass the gate unseen, where handlers behind it had the machine's network; else None."""
        answers = (each.answer for test in self.tests for each in test.exchanges)
        if any(each.calls is not None and not each.sealed for each in answers):
            return f"not sealed: what can call other hosts unseen: {UNSEEN_CLIENTS}"
        return None

    @property
    def findings(self) -> list[Finding]:
        """All findings, each once, violations first."""
        places = {clause: place for place, clause in enumerate(CLAUSES)}
        once = merge_findings(each.finding for each in self._found)
        return sorted(once, key=lambda each: (each.level is not Level.MUST, places[each.clause]))

    @property
    def violated(self) -> frozenset[str]:
        """The ids of the clauses that are violated."""
        return frozenset(each.finding.clause for each in self._found if each.finding.is_violation)

    @property
    def warned(self) -> frozenset[str]:
        """The ids of the clauses with a warning."""
        return frozenset(each.finding.clause for each in self._found if not each.finding.is_violation)

    @property
    def proved(self) -> frozenset[str]:
        """The ids of the clauses that are proved."""
        return frozenset(each.clause for each in self.clauses if each.state is ClauseState.PROVED)

    @property
    def leftovers(self) -> list[dict[str, Any]]:
        """The identifiers of what could not be deleted."""
        return [each for test in self.tests for each in test.leftovers]

    @property
    def passed(self) -> bool:
        """Whether no MUST is violated."""
        return not self.violated

    def tests_with(self, finding: Finding) -> list[str]:
        """Return the names of the tests that made the finding."""
        key = finding_key(finding)
        return list(dict.fromkeys(each.test for each in self._found if finding_key(each.finding) == key))
