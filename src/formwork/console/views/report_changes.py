"""Contract reports in short: what each proved, and which clauses changed between two of them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

_BAD = ("violated",)
_SHOWN = ("proved", "violated", "warned", "not provable", "not applicable")


class ReportSummary(Struct, frozen=True):
    """How many clauses have each state; `seconds` is the time of all tests."""

    passed: bool
    states: Mapping[str, int]
    tests: int
    seconds: float

    @property
    def parts(self) -> list[tuple[str, int, float]]:
        """State, number and percentage of the clauses, for a bar; states without clauses are left out."""
        whole = sum(self.states.values()) or 1
        return [(state, count, 100 * count / whole) for state, count in self.states.items() if count]


class ClauseChange(Struct, frozen=True):
    """A clause whose state differs; `worse` is True where it was kept before and is not now, None where neither."""

    clause: str
    text: str
    before: str
    after: str
    worse: bool | None
    reason: str | None


def summarize_report(report: Mapping[str, Any]) -> ReportSummary:
    """Return the numbers of a JSON report."""
    counts = Counter(str(each["state"]) for each in report["clauses"])
    known = {state: counts.pop(state) for state in _SHOWN if state in counts}
    tests = report["tests"]
    return ReportSummary(
        bool(report["passed"]), {**known, **counts}, len(tests), sum(each["seconds"] for each in tests)
    )


def compare_reports(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[ClauseChange]:
    """Return the clauses whose states differ, those that became worse first."""
    before = {each["id"]: each for each in old["clauses"]}
    after = {each["id"]: each for each in new["clauses"]}
    messages = {each["clause"]: each["message"] for each in reversed(new["findings"])}
    found = []
    for clause in [*after, *(each for each in before if each not in after)]:
        states = [str(each[clause]["state"]) if clause in each else "absent" for each in (before, after)]
        if states[0] == states[1]:
            continue
        shown = after.get(clause) or before[clause]
        reason = messages.get(clause) if states[1] in {"violated", "warned"} else shown.get("reason")
        found.append(ClauseChange(clause, str(shown["text"]), states[0], states[1], _worse(*states), reason))
    return sorted(found, key=lambda each: {True: 0, None: 1, False: 2}[each.worse])


def _worse(before: str, after: str) -> bool | None:
    if after in _BAD or (before == "proved" and after in {"warned", "not provable"}):
        return True
    if before in _BAD or after == "proved":
        return False
    return None
