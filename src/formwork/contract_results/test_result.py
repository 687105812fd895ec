"""The result of one test."""

from typing import Any

from msgspec import Struct, field

from formwork.contract_results.findings import Finding, Undecided
from formwork.invoke import Exchange

# What is found of all tests together is the result of a test of this name, which no option selects.
WHOLE_RUN = "contract_permissions"


class TestResult(Struct, frozen=True):
    """The findings of a test and the resources that it could not delete; `held` to `filled` are as in TestRecord.

    `skipped` says why the test did not run to its end.
    """

    __test__ = False  # no test class, whatever pytest thinks of its name

    name: str
    findings: tuple[Finding, ...]
    exchanges: tuple[Exchange, ...]
    leftovers: tuple[dict[str, Any], ...]
    seconds: float
    skipped: str | None = None
    held: dict[str, frozenset[str]] = field(default_factory=dict)
    worked: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()
    open: dict[str, Undecided] = field(default_factory=dict)
    gaps: dict[tuple[str, str], Undecided] = field(default_factory=dict)
    filled: frozenset[tuple[str, str]] = frozenset()

    @property
    def violations(self) -> tuple[Finding, ...]:
        """The findings that fail the run."""
        return tuple(each for each in self.findings if each.is_violation)
