"""Findings below their causes: what was found, the exchange that shows it, what differs, and the command to see it."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from formwork.contract_results.causes import Cause, FindingGroup
from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.findings import ABSENT, Finding, ModelDifference
from formwork.contract_results.report.html.clauses import prose
from formwork.contract_results.report.html.exchanges import render_exchanges, scrolling
from formwork.contract_results.report.html.tests import TestPages
from formwork.contract_results.report.shown import Shown, replay_of
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.traces import Trace
from formwork.report_pages.markup import Markup, element, joined
from formwork.report_pages.parts import command, counted, differing, status

_MOST_OPEN = 6  # findings that are unfolded
_MOST_TESTS = 30


class FindingPages:
    """Renders the findings of one run; `replay` is the command that makes the run again, without a test's name."""

    def __init__(self, result: SuiteResult, shown: Shown, tests: TestPages, replay: str) -> None:
        self._result = result
        self._shown = shown
        self._tests = tests
        self._replay = replay
        self._number = 0
        self._clauses: set[str] = set()

    def render(self, groups: Sequence[FindingGroup]) -> Markup | None:
        """Return all findings; None where there are none."""
        if not groups:
            return None
        return element("section", element("h2", "Findings"), *map(self._group, groups), id="findings")

    def _group(self, group: FindingGroup) -> Markup:
        kind = "bad" if group.findings[0].is_violation else "warned"
        cause = group.cause
        trace = None if cause is None else cause.trace
        heading = "h3" if cause is None else "h4"
        findings = [self._finding(finding, kind, trace, heading) for finding in group.findings]
        return element("div", self._cause(group, cause), *findings, class_=f"card cause {kind}")

    def _cause(self, group: FindingGroup, cause: Cause | None) -> Markup | None:
        if cause is None:
            return None
        said = f"the cause of {counted(len(group.findings), 'finding')}"
        return element(
            "div", element("p", said, class_="kicker"), element("h3", self._shown.text(cause.text)), class_="why"
        )

    def _finding(self, finding: Finding, kind: str, trace: Trace | None, heading: str) -> Markup:
        self._number += 1
        name = f"finding-{self._number}"
        tests = self._result.tests_with(finding)
        first = finding.clause not in self._clauses
        self._clauses.add(finding.clause)
        summary = element(
            "summary",
            status(kind, "violated" if finding.is_violation else "warning"),
            element(heading, self._shown.text(finding.text)),
            element("span", element("code", finding.clause), " ", element("span", finding.level, class_="tag")),
        )
        clause = element("p", element("b", "The clause: "), prose(CLAUSES[finding.clause].text), class_="text")
        return element(
            "details",
            summary,
            element("div", clause, id=f"clause-{finding.clause}" if first else None),
            self._targets(finding),
            self._differences(finding.differences),
            render_exchanges(finding, self._shown, name, self._trace(trace))
            if finding.exchanges
            else self._trace(trace),
            element("p", "Shown by ", self._names(tests), class_="note"),
            command(replay_of(self._replay, tests), "See it again") if tests else None,
            class_="finding",
            id=name,
            open=self._number <= _MOST_OPEN,
        )

    def _names(self, tests: Sequence[str]) -> Markup:
        links: list[Markup | str] = []
        for name in tests[:_MOST_TESTS]:
            links += [", ", self._tests.link(name)]
        more = len(tests) - _MOST_TESTS
        return joined(*links[1:], f" and {more:,} more" if more > 0 else None)

    def _targets(self, finding: Finding) -> Markup | None:
        if len(finding.targets) < 2:
            return None
        summary = element("summary", counted(len(finding.targets), "target"))
        return element("details", summary, element("p", ", ".join(finding.targets)), class_="proofs")

    def _trace(self, trace: Trace | None) -> Markup | None:
        if trace is None:
            return None
        lines = joined(*self._trace_lines(trace))
        label = "raised by the handler"
        return joined(element("p", label, class_="label"), scrolling(lines, label))

    def _trace_lines(self, trace: Trace) -> Iterator[Markup]:
        """Yield the lines of an exception; the author's own innermost frame and the error are marked."""
        for line in trace.lines:
            text = self._shown.text(line).rstrip()
            own = trace.frame is not None and trace.frame.file in line and str(trace.frame.line) in line
            notable = own or line.strip() == trace.error
            yield element("span", text, class_="marked is") if notable else joined(text, "\n")

    def _differences(self, differences: Sequence[ModelDifference]) -> Markup | None:
        if not differences:
            return None
        head = element("tr", *(element("th", each, scope="col") for each in ("at", "expected", "actual")))
        rows = (self._difference(each) for each in differences)
        return element("table", element("thead", head), element("tbody", *rows), class_="differences")

    def _difference(self, difference: ModelDifference) -> Markup:
        expected, actual = (self._side(difference, each) for each in (difference.expected, difference.actual))
        return element(
            "tr",
            element("th", element("code", difference.pointer or "(the whole model)"), scope="row"),
            element("td", element("pre", differing(expected, actual)), class_="before"),
            element("td", element("pre", differing(actual, expected)), class_="after"),
        )

    def _side(self, difference: ModelDifference, value: Any) -> str:
        if value is ABSENT:
            return "(absent)"
        return json.dumps(self._shown.difference(difference.pointer, value), ensure_ascii=False)
