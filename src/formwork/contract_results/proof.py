"""How much a run proved of the clauses that must be kept: a run without findings may have shown next to nothing."""

from collections import Counter
from collections.abc import Collection, Sequence
from enum import StrEnum

from formwork.contract_results.clauses import CLAUSES, Level
from formwork.contract_results.findings import ClauseResult, ClauseState
from formwork.contract_results.suite_result import SuiteResult

_OPEN = (ClauseState.NOT_PROVABLE, ClauseState.NOT_TESTED)
_MOST_NAMES = 6


class RequiredProof(StrEnum):
    """The value of `--require-proof`: which clauses with MUST need proof."""

    ALL = "all"
    MOST = "most"


def without_proof(clauses: Sequence[ClauseResult], *, allowed: Collection[str] = ()) -> list[ClauseResult]:
    """Return the clauses that MUST be kept and are neither proved nor violated, though they apply and can be proved.

    Clauses that nothing outside a handler can show, and those `allowed` to have no proof, are left out.
    """
    return [
        each
        for each in clauses
        if each.state in _OPEN
        and CLAUSES[each.clause].level is Level.MUST
        and CLAUSES[each.clause].unprovable is None
        and each.clause not in allowed
    ]


def little_proved(result: SuiteResult) -> str | None:
    """What to say of a run of all tests that proved less than half of the clauses that MUST be kept; None of others."""
    if not result.finished.complete:  # what was selected by name need not prove much
        return None
    clauses = result.clauses
    open_ones = without_proof(clauses)
    proved = sum(each.state is ClauseState.PROVED and CLAUSES[each.clause].level is Level.MUST for each in clauses)
    violated = sum(each.state is ClauseState.VIOLATED for each in clauses)
    of = proved + violated + len(open_ones)
    if len(open_ones) <= of / 2:
        return None
    ((reason, count),) = Counter(each.reason for each in open_ones).most_common(1)
    return f"little was proved: {proved} of the {of} clauses that must be kept; of {count} the reason is: {reason}"


def given_up(result: SuiteResult) -> tuple[str, ...]:
    """What to say of each action that the run gave up on, in lines: nothing is known of how its operations end."""
    return tuple(f"not provable: {why}" for why in result.finished.given_up)


def missing_proof(result: SuiteResult, required: RequiredProof, *, allowed: Collection[str] = ()) -> tuple[str, ...]:
    """Return what is missing for `required`, in lines; empty where nothing is."""
    if required is RequiredProof.MOST:
        said = little_proved(result)
        return given_up(result) if said is None else (said, *given_up(result))
    found = without_proof(result.clauses, allowed=allowed)
    reasons: dict[str, list[str]] = {}
    for each in found:
        reasons.setdefault(each.reason, []).append(each.clause)
    return tuple(f"no proof of {_named(names)}: {reason}" for reason, names in reasons.items())


def _named(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:_MOST_NAMES])} and {more} more"
