"""Tests chosen by a person: those of one clause or handler, and those that failed last."""

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from formwork.contract.requirement import REQUIREMENTS
from formwork.contract_results.clauses import CLAUSES
from formwork.diagnostics import UsageError

if TYPE_CHECKING:
    from formwork.contract.requirement import Requirement


@dataclass(frozen=True, slots=True)
class FocusedTests:
    """The tests of one clause (`update.applied`), or those that call one handler (`update`), with every input set."""

    word: str

    def includes(self, requirement: "Requirement", inputs: str) -> bool:
        """See `SelectedTests.includes`."""
        del inputs
        return self.word in requirement.handlers or self.word in requirement.clauses


@dataclass(frozen=True, slots=True)
class FailedTests:
    """The tests of these names, as results have them: `contract_create_read`, `contract_create_read[inputs_2]`."""

    names: frozenset[str]

    def includes(self, requirement: "Requirement", inputs: str) -> bool:
        """See `SelectedTests.includes`."""
        return requirement.name in self.names or f"{requirement.name}[{inputs}]" in self.names


def expect_focus(word: str) -> FocusedTests:
    """Return the tests of the clause or handler `word`.

    Raises:
        UsageError: `word` is neither a clause nor a handler that tests are about.
    """
    import formwork.contract.requirements  # noqa: F401 - its modules register the tests

    focused = FocusedTests(word)
    if any(focused.includes(each, "") for each in REQUIREMENTS.values()):
        return focused
    if word in CLAUSES:
        raise UsageError(f'the clause "{word}" has no test of its own', hint="it is judged in all runs: use no focus")
    names = sorted({name for each in REQUIREMENTS.values() for name in (*each.handlers, *each.clauses)})
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    hint = f'did you mean "{near[0]}"?' if near else "a handler such as create, or a clause such as update.applied"
    raise UsageError(f'unknown clause or handler "{word}"', hint=hint)
