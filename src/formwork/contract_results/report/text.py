"""The report on the terminal: one line a clause, each finding with what shows it, and at the end a line a finding."""

import json
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from formwork.contract_results.causes import group_findings
from formwork.contract_results.findings import ClauseResult, ClauseState
from formwork.contract_results.proof import given_up, little_proved
from formwork.contract_results.report.coverage import coverage_line
from formwork.contract_results.report.exchange_text import MOST_COLUMNS
from formwork.contract_results.report.finding_text import FindingText
from formwork.contract_results.report.shown import Shown
from formwork.contract_results.report.wrapping import wrapped
from formwork.contract_results.suite_result import SuiteResult
from formwork.diagnostics.visible import TerminalText, painted, visible

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


def render_text(
    result: SuiteResult,
    *,
    replay: str = "cfn test",
    colour: bool = False,
    width: int = MOST_COLUMNS,
    quiet: bool = False,
) -> TerminalText:
    """Return the whole report, `width` columns wide, or if `quiet` only its end: a line per finding and the numbers.

    `replay` is the command that runs the suite, without a test's name.
    """
    width = max(60, min(width, MOST_COLUMNS))
    lines = _lines(result, replay, width, colour=colour, quiet=quiet)
    return TerminalText("".join(visible(line) + "\n" for line in lines))


def _lines(result: SuiteResult, replay: str, width: int, *, colour: bool, quiet: bool) -> Iterator[str]:
    shown = Shown(result.started.masker())
    findings = FindingText(result, shown, replay=replay, width=width, colour=colour)
    groups = group_findings(result.findings, library=result.library, root=result.root)
    if not quiet:
        yield ""
        yield f"The handler contract, clause by clause: {result.started.type_name}"
        yield ""
        yield from _clause_lines(result.clauses, width, colour=colour)
        yield from _skipped_tests(result, width)
        yield from findings.details_of(groups)
        yield from _left_behind(result, shown)
        yield ""
    yield from findings.lines_of(groups)
    yield from result.finished.sampled
    for line in given_up(result):
        yield _coloured(line, ClauseState.WARNED, colour=colour)
    if result.coverage is not None and not quiet:
        yield coverage_line(result.coverage)
    if result.unsealed and not quiet:
        yield result.unsealed
    if result.finished.interrupted:
        yield f"interrupted: {len(result.tests)} of {result.started.tests} tests had run"
    elif (little := little_proved(result)) is not None:
        yield _coloured(little, ClauseState.WARNED, colour=colour)
    yield summary(result)


def _left_behind(result: SuiteResult, shown: Shown) -> Iterator[str]:
    """Yield what still exists after the run."""
    if result.leftovers:
        yield ""
        yield "Not deleted, because the delete handler did not:"
        for identifier in dict.fromkeys(json.dumps(shown.model(one)) for one in result.leftovers):
            yield f"  {identifier}"
    if nameless := result.finished.nameless:
        yield ""
        yield f"Not deleted, because CREATE did not say what it is called: at least {nameless} resource(s)"


def _clause_lines(clauses: Sequence[ClauseResult], width: int, *, colour: bool) -> Iterator[str]:
    """Yield one line per clause; one for all that have no proof for the same reason, where these are many."""
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
            yield from wrapped(", ".join(names), width, "  ")


def _skipped_tests(result: SuiteResult, width: int) -> Iterator[str]:
    """The tests that did not run to their end, by the reason; the input sets are named where it is not that of all."""
    reasons: dict[str, dict[str, list[str]]] = {}
    runs = Counter(test.name.partition("[")[0] for test in result.tests)
    for test in result.tests:
        if test.skipped is not None:
            name, _, inputs = test.name.partition("[")
            reasons.setdefault(test.skipped, {}).setdefault(name, []).append(inputs.removesuffix("]"))
    if reasons:
        yield ""
        yield "Tests that did not run to their end:"
    for reason, tests in reasons.items():
        yield from wrapped(f"{reason}:", width, "    ")
        names = [name if len(sets) == runs[name] else f"{name}[{', '.join(sets)}]" for name, sets in tests.items()]
        yield from textwrap.wrap(
            ", ".join(names), width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )


def _state(each: ClauseResult) -> str:
    return f"{each.state}: {each.reason}" if each.reason else str(each.state)


def _coloured(line: str, state: ClauseState, *, colour: bool) -> TerminalText:
    return painted(line, _COLOURS.get(state, ""), colour=colour and state in _COLOURS)


def summary(result: SuiteResult) -> str:
    """One line with the numbers."""
    states = [each.state for each in result.clauses]
    counts = [f"{count} {state}" for state in ClauseState if (count := states.count(state))]
    calls = sum(len(test.exchanges) for test in result.tests)
    return (
        f"clauses: {', '.join(counts)}; {len(result.tests)} tests, {calls} invocations, {result.finished.seconds:.2f} s"
    )
