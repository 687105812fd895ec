"""Findings on the terminal: one line per finding with its cause before it, and the details of each cause once."""

from collections.abc import Iterator, Sequence

from formwork.contract_results.causes import Cause, FindingGroup
from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.findings import ABSENT, Finding
from formwork.contract_results.report.exchange_text import exchange_lines, short
from formwork.contract_results.report.shown import Shown, replay_of
from formwork.contract_results.report.wrapping import wrapped
from formwork.contract_results.suite_result import SuiteResult
from formwork.diagnostics.visible import TerminalText, painted

_MOST_TESTS = 4
_MOST_TARGETS = 5
_SYMBOLS = {True: ("✗", "31"), False: ("!", "33")}  # of violations, of warnings


class FindingText:
    """Renders the findings of one run; `replay` is the command that makes the run again, without a test's name."""

    def __init__(self, result: SuiteResult, shown: Shown, *, replay: str, width: int, colour: bool) -> None:
        self._result = result
        self._shown = shown
        self._replay = replay
        self._width = width
        self._colour = colour
        for finding in result.findings:  # so that the secrets are known before a message is shown
            shown.learn(finding.exchanges)

    def lines_of(self, groups: Sequence[FindingGroup]) -> Iterator[str]:
        """One line per finding: under its cause, or by itself where it has none that is known."""
        for group in groups:
            symbol, colour = _SYMBOLS[group.findings[0].is_violation]
            if group.cause is None:
                for finding in group.findings:
                    yield self._coloured(f"{symbol} {self._line(finding)}", colour)
                continue
            yield self._coloured(f"{symbol} {self._cause(group.cause)}", colour)
            for finding in group.findings:
                yield f"    {self._line(finding)}"

    def details_of(self, groups: Sequence[FindingGroup]) -> Iterator[str]:
        """Yield what shows each finding; of findings with one cause, the exchanges of the first."""
        number = 0
        for group in groups:
            first = number + 1
            for finding in group.findings:
                number += 1
                yield ""
                yield from self._finding(number, finding, group.cause, first=first)

    def _finding(self, number: int, finding: Finding, cause: Cause | None, *, first: int) -> Iterator[str]:
        what = "violation" if finding.is_violation else "warning"
        head = f"{what} {number}: {finding.clause} ({CLAUSES[finding.clause].level})"
        yield self._coloured(head, "1;31" if finding.is_violation else "1;33")
        if cause is not None and number != first:
            yield f"  cause:  that of {what} {first}"
        elif cause is not None:
            yield from wrapped(f"cause:  {self._cause(cause)}", self._width)
        yield from wrapped(f"clause: {CLAUSES[finding.clause].text}", self._width)
        yield from wrapped(f"found:  {self._shown.text(finding.text)}", self._width)
        yield from self._targets(finding)
        for each in finding.differences:
            yield f"  at {each.pointer or '(the whole model)'}"
            yield f"    expected: {self._side(each.pointer, each.expected)}"
            yield f"    actual:   {self._side(each.pointer, each.actual)}"
        if cause is None or number == first:
            yield from exchange_lines(finding.exchanges, self._shown, self._width)
            if cause is not None and cause.trace is not None:
                yield "  raised by the handler:"
                for line in cause.trace.lines:
                    yield f"      {self._shown.text(line)}".rstrip()
        tests = self._result.tests_with(finding)
        yield from wrapped(f"shown by: {named_tests(tests)}", self._width, "            ")
        yield f"  replay:   {replay_of(self._replay, tests)}"

    def _targets(self, finding: Finding) -> Iterator[str]:
        if len(finding.targets) > 1:
            names = ", ".join(finding.targets[:_MOST_TARGETS])
            more = len(finding.targets) - _MOST_TARGETS
            yield from wrapped(f"targets: {names}" + (f" and {more:,} more" if more > 0 else ""), self._width)

    def _line(self, finding: Finding) -> str:
        return f"{finding.clause}: {' '.join(self._shown.text(finding.text).split())}"

    def _cause(self, cause: Cause) -> str:
        return " ".join(self._shown.text(cause.text).split())

    def _coloured(self, line: str, colour: str) -> TerminalText:
        return painted(line, colour, colour=self._colour)

    def _side(self, pointer: str, value: object) -> str:
        return "(absent)" if value is ABSENT else short(self._shown.difference(pointer, value))


def named_tests(names: Sequence[str]) -> str:
    """Return the tests, each with the input sets that show it, and of very many the first."""
    sets: dict[str, list[str]] = {}
    for each in names:
        name, _, inputs = each.partition("[")
        sets.setdefault(name, []).append(inputs.removesuffix("]"))
    told = [f"{name}[{', '.join(inputs)}]" if any(inputs) else name for name, inputs in sets.items()]
    more = len(told) - _MOST_TESTS
    return ", ".join(told) if more <= 0 else f"{', '.join(told[:_MOST_TESTS])} and {more} more"
