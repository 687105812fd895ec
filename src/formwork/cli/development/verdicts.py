"""What a session says of a run of tests, in one line."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult

_MOST_NAMES = 8


class SessionVerdict(NamedTuple):
    """Whether all went well, and what is said of it."""

    good: bool
    text: str


def judge(result: "SuiteResult | None") -> SessionVerdict:
    """Return the verdict of a run; of None, which could not run."""
    from formwork.contract_results.proof import given_up

    if result is None:
        return SessionVerdict(good=False, text="not tested")
    if result.violated:
        return SessionVerdict(good=False, text=f"violated: {_names(result.violated)}")
    if unfinished := given_up(result):
        return SessionVerdict(good=False, text=unfinished[0])
    warned = f"; warned: {_names(result.warned)}" if result.warned else ""
    return SessionVerdict(
        good=True, text=f"no violation in {len(result.tests)} tests, {len(result.proved)} clauses proved{warned}"
    )


def _names(clauses: frozenset[str]) -> str:
    more = len(clauses) - _MOST_NAMES
    shown = ", ".join(sorted(clauses)[:_MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown
