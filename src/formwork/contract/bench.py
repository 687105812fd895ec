"""What a test judges with, of whichever kind its subject is: findings, clauses proved, clauses left open."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from formwork.contract.clauses import CLAUSES, Level
from formwork.contract.findings import Difference, Finding
from formwork.invoke import Exchange, Operation

# Lambda's errorType where the process itself ended: a crash, or the memory limit.
DEADLY = frozenset({"Runtime.ExitError", "Runtime.OutOfMemory"})


class StopTestError(Exception):
    """The test cannot go on; what it found so far counts."""


class NotApplicableError(StopTestError):
    """The clauses of the test make no demand on this type."""


class NotProvableError(StopTestError):
    """With these inputs, or this handler, the clauses cannot be shown either way."""


@dataclass(slots=True)
class Record:
    """What a test leaves behind besides resources."""

    findings: list[Finding] = field(default_factory=list)
    proved: dict[str, None] = field(default_factory=dict)
    open: dict[str, tuple[bool, str]] = field(default_factory=dict)  # clause → (applicable, why it was not decided)
    exchanges: list[Exchange] = field(default_factory=list)
    leftovers: list[dict[str, Any]] = field(default_factory=list)


class Bench:
    """Where one test writes down what it finds."""

    def __init__(self) -> None:
        self.record = Record()

    def violate(
        self,
        clause: str,
        message: str,
        shown: Iterable[Operation | Exchange] = (),
        *,
        differences: Iterable[Difference] = (),
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
        differences: Iterable[Difference] = (),
        level: Level | None = None,
    ) -> bool:
        """Record whether `clause` is kept; `message` says what is wrong if it is not. Gives `kept` back."""
        if kept:
            self.record.proved[clause] = None
        else:
            self.violate(clause, message, shown, differences=differences, level=level)
        return kept

    def not_provable(self, clause: str, why: str) -> None:
        """Record that `clause` could not be decided, and why."""
        self.record.open.setdefault(clause, (True, why))

    def not_applicable(self, clause: str, why: str) -> None:
        """Record that `clause` demands nothing of this type, and why."""
        self.record.open.setdefault(clause, (False, why))

    def clean_up(self) -> None:
        """Take back what the test did to the world; nothing where a handler does nothing to it."""


def error_code(operation: Operation) -> str | None:
    """The error code of the operation's last event."""
    code = (operation.event or {}).get("errorCode")
    return code if isinstance(code, str) else None
