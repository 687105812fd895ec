"""Records the findings of one test, the clauses it proved and those it left open, and the errors that end it."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from formwork.contract_results.clauses import CLAUSES, Level
from formwork.contract_results.findings import ClauseState, Finding, ModelDifference, Undecided
from formwork.invoke import Exchange, Operation

# Lambda's errorType where the process itself ended: a crash, or the memory limit.
DEADLY = frozenset({"Runtime.ExitError", "Runtime.OutOfMemory"})


class StopTestError(Exception):
    """The test cannot continue; its findings so far are kept."""


class NotApplicableError(StopTestError):
    """The clauses of the test make no demand on this type."""


class NotProvableError(StopTestError):
    """With these inputs the clauses can be neither proved nor refuted, whatever the handlers do."""


class BlockedError(StopTestError):
    """A handler failed in a step that the test needs before its judgement: its clauses stay untested.

    The failure itself is a finding of this test or of an earlier one, under the clause that it violates.
    """


class CoveredElsewhereError(StopTestError):
    """Another test judges the clauses of this one with the same inputs."""


class TestRecord(Struct):
    """The findings, verdicts and exchanges that a test has recorded.

    `held`: the clauses that were judged and kept, each with the marks (`worked`) that it counts under besides those of
    the clause itself. `worked`: the actions that succeeded on a live resource, of those `tried` on one. `open`: the
    clauses that the test could not decide. A clause about each target, or about each identifier, has parts, (clause,
    part): `gaps` are those that the test could not decide, `filled` those that were judged and kept.
    """

    findings: list[Finding] = field(default_factory=list)
    held: dict[str, frozenset[str]] = field(default_factory=dict)
    worked: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    open: dict[str, Undecided] = field(default_factory=dict)
    gaps: dict[tuple[str, str], Undecided] = field(default_factory=dict)
    filled: set[tuple[str, str]] = field(default_factory=set)
    exchanges: list[Exchange] = field(default_factory=list)
    leftovers: list[dict[str, Any]] = field(default_factory=list)


class FindingRecorder:
    """Records what one test finds."""

    def __init__(self) -> None:
        self.record = TestRecord()

    def violate(
        self,
        clause: str,
        message: str,
        shown: Iterable[Operation | Exchange] = (),
        *,
        differences: Iterable[ModelDifference] = (),
        level: Level | None = None,
    ) -> None:
        """Record that `clause` is not kept, with the operations that show it."""
        exchanges = tuple(one for each in shown for one in (each.exchanges if isinstance(each, Operation) else (each,)))
        self.record.findings.append(
            Finding(clause, level or CLAUSES[clause].level, message, exchanges, tuple(differences))
        )

    def judge(  # noqa: PLR0913 - a judgement with all that shows it
        self,
        clause: str,
        kept: bool,  # noqa: FBT001 - the question itself
        message: str,
        shown: Iterable[Operation | Exchange] = (),
        *,
        differences: Iterable[ModelDifference] = (),
        level: Level | None = None,
    ) -> bool:
        """Record whether `clause` is kept; `message` says what is wrong if it is not. Gives `kept` back."""
        if kept:
            self.hold(clause)
        else:
            self.violate(clause, message, shown, differences=differences, level=level)
        return kept

    def hold(self, *clauses: str, marks: Iterable[str] = ()) -> None:
        """Record that `clauses` were judged and kept; they count as proved where every one of `marks` has `worked`."""
        for clause in clauses:
            self.record.held[clause] = self.record.held.get(clause, frozenset()) | frozenset(marks)

    def not_provable(self, clause: str, why: str) -> None:
        """Record that these inputs cannot decide `clause`, and why."""
        self.record.open.setdefault(clause, Undecided(ClauseState.NOT_PROVABLE, why))

    def not_applicable(self, clause: str, why: str) -> None:
        """Record that `clause` demands nothing of this type, and why."""
        self.record.open.setdefault(clause, Undecided(ClauseState.NOT_APPLICABLE, why))

    def not_tested(self, clause: str, why: str) -> None:
        """Record that `clause` could not be judged because of what a handler did, and why."""
        self.record.open.setdefault(clause, Undecided(ClauseState.NOT_TESTED, why))

    def fill(self, clause: str, part: str) -> None:
        """Record that `clause` was judged and kept for one of its parts."""
        self.hold(clause)
        self.record.filled.add((clause, part))

    def leave_gap(self, clause: str, part: str, why: str, state: ClauseState = ClauseState.NOT_PROVABLE) -> None:
        """Record that a part of `clause` could not be decided: it is not proved unless another test fills the gap."""
        gap = Undecided(state, why)
        self.record.gaps.setdefault((clause, part), gap)
        self.record.open.setdefault(clause, gap)

    def clean_up(self) -> None:
        """Delete what the test created; nothing by default."""


def error_code(operation: Operation) -> str | None:
    """Return the error code of the operation's last event."""
    code = (operation.event or {}).get("errorCode")
    return code if isinstance(code, str) else None
