"""The report on the terminal: one line a clause, then each finding with what shows it."""

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from formwork.contract.clauses import CLAUSES
from formwork.contract.findings import ABSENT, ClauseState, Finding
from formwork.contract.libraries import cause_of
from formwork.contract.report.exchange_text import MOST_COLUMNS, exchange_lines, short
from formwork.contract.report.shown import Shown
from formwork.contract.suite import SuiteResult
from formwork.contract.verdict import ClauseResult

_SYMBOLS = {
    ClauseState.VIOLATED: "✗",
    ClauseState.WARNED: "!",
    ClauseState.PROVED: "✓",
    ClauseState.NOT_PROVABLE: "?",
    ClauseState.NOT_APPLICABLE: "·",
    ClauseState.NOT_TESTED: "-",
}
_COLOURS = {ClauseState.VIOLATED: "31", ClauseState.WARNED: "33", ClauseState.PROVED: "32"}
_WITHOUT_PROOF = (ClauseState.NOT_PROVABLE, ClauseState.NOT_TESTED)
_MANY_ALIKE = 4
_MOST_TESTS = 4


def render_text(
    result: SuiteResult, *, replay: str = "cfn test", colour: bool = False, width: int = MOST_COLUMNS
) -> str:
    """The whole report, `width` columns wide; `replay` is the command that runs the suite, without a test's name."""
    width = max(60, min(width, MOST_COLUMNS))
    return "".join(line + "\n" for line in _lines(result, replay, width, colour=colour))


def _lines(result: SuiteResult, replay: str, width: int, *, colour: bool) -> Iterator[str]:
    clauses = result.clauses()
    yield ""
    yield f"The handler contract, clause by clause: {result.subject.schema.type_name}"
    yield ""
    yield from _clause_lines(clauses, width, colour=colour)
    yield from _skipped_tests(result, width)
    shown = Shown(result.subject.secrets)
    for number, finding in enumerate(result.findings, 1):
        yield ""
        yield from _finding(number, finding, result, shown=shown, replay=replay, width=width, colour=colour)
    if result.leftovers:
        yield ""
        yield "Not deleted, because the delete handler did not:"
        for identifier in dict.fromkeys(json.dumps(shown.model(one)) for one in result.leftovers):
            yield f"  {identifier}"
    if result.nameless:
        yield ""
        yield f"Not deleted, because CREATE did not say what it is called: at least {result.nameless} resource(s)"
    yield ""
    yield from _names(clauses, ClauseState.VIOLATED, colour=colour)
    yield from _names(clauses, ClauseState.WARNED, colour=colour)
    yield summary(result, clauses)


def _clause_lines(clauses: list[ClauseResult], width: int, *, colour: bool) -> Iterator[str]:
    """A line a clause; one for all that have no proof for one and the same reason, where these are many."""
    alike: dict[tuple[ClauseState, str], list[str]] = {}
    for each in clauses:
        if each.state in _WITHOUT_PROOF:
            alike.setdefault((each.state, each.reason), []).append(each.clause)
    for each in clauses:
        names = alike.get((each.state, each.reason), [])
        if len(names) < _MANY_ALIKE:
            yield _coloured(f"{_SYMBOLS[each.state]} {each.clause:<24} {_state(each)}", each.state, colour=colour)
        elif each.clause == names[0]:
            yield f"{_SYMBOLS[each.state]} {f'{len(names)} clauses':<24} {_state(each)}"
            yield from _wrapped(", ".join(names), width, "  ")


def _skipped_tests(result: SuiteResult, width: int) -> Iterator[str]:
    """The tests that did not run to their end, by the reason."""
    reasons: dict[str, list[str]] = {}
    for test in result.tests:
        if test.skipped is not None:
            reasons.setdefault(test.skipped, []).append(test.name)
    if reasons:
        yield ""
        yield "Tests that did not run to their end:"
    for reason, names in reasons.items():
        yield from _wrapped(f"{_tests(names)}: {reason}", width, "    ")


def _state(each: ClauseResult) -> str:
    return f"{each.state}: {each.reason}" if each.reason else str(each.state)


def _names(clauses: list[ClauseResult], state: ClauseState, *, colour: bool) -> Iterator[str]:
    """The clauses in that state, once more where a terminal's last lines are."""
    names = [each.clause for each in clauses if each.state is state]
    if names:
        yield _coloured(f"{_SYMBOLS[state]} {state}: {', '.join(names)}", state, colour=colour)


def _coloured(line: str, state: ClauseState, *, colour: bool) -> str:
    return f"\x1b[{_COLOURS[state]}m{line}\x1b[0m" if colour and state in _COLOURS else line


def summary(result: SuiteResult, clauses: list[ClauseResult] | None = None) -> str:
    """One line with the numbers."""
    states = [each.state for each in (clauses or result.clauses())]
    counts = [f"{count} {state}" for state in ClauseState if (count := states.count(state))]
    calls = sum(len(test.exchanges) for test in result.tests)
    return f"clauses: {', '.join(counts)}; {len(result.tests)} tests, {calls} invocations, {result.seconds:.2f} s"


def _finding(  # noqa: PLR0913 - a finding and how to show it
    number: int, finding: Finding, result: SuiteResult, *, shown: Shown, replay: str, width: int, colour: bool
) -> Iterator[str]:
    clause = CLAUSES[finding.clause]
    shown.learn(finding.exchanges)
    what = "violation" if finding.is_violation else "warning"
    head = f"{what} {number}: {finding.clause} ({clause.level})"
    yield f"\x1b[1;{31 if finding.is_violation else 33}m{head}\x1b[0m" if colour else head
    yield from _wrapped(f"clause: {clause.text}", width)
    yield from _wrapped(f"found:  {shown.text(finding.message)}", width)
    if cause := cause_of(finding, result.library):
        yield from _wrapped(f"cause:  {cause}", width)
    for each in finding.differences:
        yield f"  at {each.pointer or '(the whole model)'}"
        yield f"    expected: {_side(shown, each.pointer, each.expected)}"
        yield f"    actual:   {_side(shown, each.pointer, each.actual)}"
    yield from exchange_lines(finding.exchanges, shown, width)
    tests = result.tests_with(finding)
    name = tests[0].partition("[")[0] if tests else ""
    yield from _wrapped(f"shown by: {_tests(tests)}", width, "            ")
    yield f"  replay:   {replay} -- -k {name}"
    if any(each.event and each.event.get("errorCode") == "InternalFailure" for each in finding.exchanges):
        yield f"  its logs: {replay} -v -- -k {name}"


def _tests(names: Sequence[str]) -> str:
    """The tests, each with the input sets that show it, and of very many the first."""
    sets: dict[str, list[str]] = {}
    for each in names:
        name, _, inputs = each.partition("[")
        sets.setdefault(name, []).append(inputs.removesuffix("]"))
    told = [f"{name}[{', '.join(inputs)}]" if any(inputs) else name for name, inputs in sets.items()]
    more = len(told) - _MOST_TESTS
    return ", ".join(told) if more <= 0 else f"{', '.join(told[:_MOST_TESTS])} and {more} more"


def _side(shown: Shown, pointer: str, value: Any) -> str:
    return "(absent)" if value is ABSENT else short(shown.difference(pointer, value))


def _wrapped(text: str, width: int, indent: str = "          ") -> list[str]:
    return textwrap.wrap(text, width, initial_indent="  ", subsequent_indent=indent, break_on_hyphens=False)
