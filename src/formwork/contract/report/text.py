"""The report on the terminal: one line a clause, then each finding with what shows it."""

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from formwork.contract.clauses import CLAUSES
from formwork.contract.findings import ABSENT, ClauseState, Finding
from formwork.contract.report.shown import Shown
from formwork.contract.suite import ClauseResult, SuiteResult
from formwork.invoke import Exchange

_WIDTH = 118
_SYMBOLS = {
    ClauseState.VIOLATED: "✗",
    ClauseState.WARNED: "!",
    ClauseState.PROVED: "✓",
    ClauseState.NOT_PROVABLE: "?",
    ClauseState.NOT_APPLICABLE: "·",
    ClauseState.NOT_TESTED: " ",
}
_COLOURS = {ClauseState.VIOLATED: "31", ClauseState.WARNED: "33", ClauseState.PROVED: "32"}
_MOST_EXCHANGES = 6
_MOST_CHARACTERS = 1500


def render_text(result: SuiteResult, *, replay: str = "cfn test", colour: bool = False) -> str:
    """The whole report; `replay` is the command that runs the suite, without what selects a test."""
    return "".join(line + "\n" for line in _lines(result, replay, colour=colour))


def _lines(result: SuiteResult, replay: str, *, colour: bool) -> Iterator[str]:
    clauses = result.clauses()
    yield ""
    yield f"The handler contract, clause by clause: {result.subject.schema.type_name}"
    yield ""
    for each in clauses:
        if each.state is not ClauseState.NOT_TESTED:
            yield _clause_line(each, colour=colour)
    shown = Shown(result.subject.secrets)
    for number, finding in enumerate(result.findings, 1):
        yield ""
        yield from _finding(number, finding, result, shown, replay, colour=colour)
    if result.leftovers:
        yield ""
        yield "Not deleted, because the delete handler did not:"
        for identifier in dict.fromkeys(json.dumps(shown.model(one)) for one in result.leftovers):
            yield f"  {identifier}"
    if result.nameless:
        yield ""
        yield f"Not deleted, because CREATE did not say what it is called: at least {result.nameless} resource(s)"
    yield ""
    yield summary(result, clauses)


def _clause_line(each: ClauseResult, *, colour: bool) -> str:
    symbol = _SYMBOLS[each.state]
    line = f"{symbol} {each.clause:<24} {each.state}"
    if each.reason:
        line += f": {each.reason}"
    if colour and each.state in _COLOURS:
        return f"\x1b[{_COLOURS[each.state]}m{line}\x1b[0m"
    return line


def summary(result: SuiteResult, clauses: list[ClauseResult] | None = None) -> str:
    """One line with the numbers."""
    states = [each.state for each in (clauses or result.clauses())]
    counts = [f"{count} {state}" for state in ClauseState if (count := states.count(state))]
    calls = sum(len(test.exchanges) for test in result.tests)
    return f"clauses: {', '.join(counts)}; {len(result.tests)} tests, {calls} invocations, {result.seconds:.2f} s"


def _finding(  # noqa: PLR0913 - a finding and how to show it
    number: int, finding: Finding, result: SuiteResult, shown: Shown, replay: str, *, colour: bool
) -> Iterator[str]:
    clause = CLAUSES[finding.clause]
    shown.learn(finding.exchanges)
    what = "violation" if finding.is_violation else "warning"
    head = f"{what} {number}: {finding.clause} ({clause.level})"
    yield f"\x1b[1;{31 if finding.is_violation else 33}m{head}\x1b[0m" if colour else head
    yield from _wrapped(f"clause: {clause.text}")
    yield from _wrapped(f"found:  {shown.text(finding.message)}")
    for each in finding.differences:
        yield f"  at {each.pointer or '(the whole model)'}"
        yield f"    expected: {_short(shown.difference(each.pointer, each.expected))}"
        yield f"    actual:   {_short(shown.difference(each.pointer, each.actual))}"
    if len(finding.exchanges) > _MOST_EXCHANGES:
        yield f"  (the first and the last of {len(finding.exchanges)} invocations)"
    for exchange in _some(finding.exchanges):
        yield from _exchange(exchange, shown)
    tests = result.tests_with(finding)
    yield f"  shown by: {', '.join(tests)}"
    name = tests[0].partition("[")[0] if tests else ""
    yield f"  replay:   {replay} -- -k {name}"


def _some(exchanges: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    if len(exchanges) <= _MOST_EXCHANGES:
        return exchanges
    return (*exchanges[: _MOST_EXCHANGES - 2], *exchanges[-2:])


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="          ")


def _exchange(exchange: Exchange, shown: Shown) -> Iterator[str]:
    request = shown.request(exchange)
    yield f"  → {request.pop('action')} {_short(request)}"
    answer = f"  ← {_short(shown.answer(exchange))}"
    yield f"{answer}  ({exchange.answer.seconds * 1000:.0f} ms)"


def _short(value: Any) -> str:
    if value is ABSENT:
        return "(absent)"
    text = value if isinstance(value, str) and value.startswith("(") else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + f"… ({len(text)} characters)"
