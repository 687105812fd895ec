"""Tests chosen by a person: those of clauses or handlers, and those that failed last."""

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.contract.requirement import REQUIREMENTS
from formwork.contract_results.clauses import CLAUSES
from formwork.diagnostics import UsageError

if TYPE_CHECKING:
    from formwork.contract.requirement import Requirement

# Nothing is proved of handlers that create no resource, or of a hook's that allow nothing: these show that they do.
_SHOWING = frozenset(
    {"contract_create_delete", *(f"contract_pre_{each}_success" for each in ("create", "update", "delete"))}
)


class FocusedTests(Struct, frozen=True):
    """The tests of clauses (`update.applied`), and those that call handlers (`update`), with every input set.

    Tests that show the handlers to work at all run in any case.
    """

    words: frozenset[str]

    def includes(self, requirement: "Requirement", inputs: str) -> bool:
        """See `SelectedTests.includes`."""
        del inputs
        if requirement.name in _SHOWING:
            return True
        return not self.words.isdisjoint((*requirement.handlers, *requirement.clauses))

    def __str__(self) -> str:
        return ", ".join(sorted(self.words))


class FailedTests(Struct, frozen=True):
    """The tests of these names, as results have them: `contract_create_read`, `contract_create_read[inputs_2]`."""

    names: frozenset[str]

    def includes(self, requirement: "Requirement", inputs: str) -> bool:
        """See `SelectedTests.includes`."""
        return requirement.name in self.names or f"{requirement.name}[{inputs}]" in self.names


def expect_focus(words: Iterable[str]) -> FocusedTests:
    """Return the tests of the clauses and handlers `words`.

    Raises:
        UsageError: one of them is neither a clause nor a handler that tests are about.
    """
    import formwork.contract.requirements  # noqa: F401 - its modules register the tests

    focused = FocusedTests(frozenset(words))
    named = {name for each in REQUIREMENTS.values() for name in (*each.handlers, *each.clauses)}
    for word in sorted(focused.words - named):
        if word in CLAUSES:
            raise UsageError(
                f'the clause "{word}" has no test of its own', hint="it is judged in all runs: use no focus"
            )
        near = difflib.get_close_matches(word, sorted(named), n=1, cutoff=0.5)
        hint = f'did you mean "{near[0]}"?' if near else "a handler such as create, or a clause such as update.applied"
        raise UsageError(f'unknown clause or handler "{word}"', hint=hint)
    return focused
