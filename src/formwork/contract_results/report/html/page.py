"""The parts of the page in their order, and what can be read across a room."""

from collections.abc import Iterator

from formwork.contract_results.causes import group_findings
from formwork.contract_results.findings import ClauseState
from formwork.contract_results.proof import given_up, little_proved
from formwork.contract_results.report.html.clauses import STATES, render_clauses
from formwork.contract_results.report.html.coverage import render_coverage
from formwork.contract_results.report.html.findings import FindingPages
from formwork.contract_results.report.html.leftovers import render_leftovers
from formwork.contract_results.report.html.tests import TestPages
from formwork.contract_results.report.shown import Shown
from formwork.contract_results.suite_result import SuiteResult
from formwork.report_pages.markup import Markup, element, joined
from formwork.report_pages.page import render_page, render_verdict
from formwork.report_pages.parts import command, counted, facts, meter, tiles


def render_html(result: SuiteResult, *, replay: str = "cfn test") -> str:
    """Return the page; `replay` is the command that makes the run again, without a test's name."""
    shown = Shown(result.started.masker())
    for test in result.tests:  # so that the secrets are known before a message is shown
        shown.learn(test.exchanges)
    for finding in result.findings:
        shown.learn(finding.exchanges)
    groups = group_findings(result.findings, library=result.library, root=result.root)
    tests = TestPages(result, shown)
    findings = FindingPages(result, shown, tests, replay)
    return render_page(
        f"Handler contract: {result.started.type_name}",
        _head(result, replay),
        findings.render(groups),
        render_leftovers(result, shown),
        render_clauses(result, shown, tests),
        tests.render(),
        render_coverage(result.coverage),
        sections=_sections(result),
    )


def _sections(result: SuiteResult) -> Iterator[tuple[str, str, str]]:
    if result.findings:
        yield "findings", "Findings", str(len(result.findings))
    yield "clauses", "Clauses", str(len(result.clauses))
    yield "tests", "Tests", str(len(result.tests))
    if result.coverage is not None:
        yield "coverage", "Coverage", "" if result.coverage.unmeasured else f"{result.coverage.percent} %"


def _head(result: SuiteResult, replay: str) -> Markup:
    counts = [(kind, sum(each.state is state for each in result.clauses), str(state)) for state, kind in STATES.items()]
    kind, said = _verdict(result)
    words = ", ".join(f"{number} {name}" for _, number, name in counts if number)
    return element(
        "section",
        render_verdict(kind, "Handler contract", result.started.type_name, said, joined(_remarks(result))),
        tiles(counts),
        meter([(each, number) for each, number, _ in counts], f"clauses: {words or 'none'}"),
        facts(_facts(result)),
        command(replay),
        class_="hero",
    )


def _verdict(result: SuiteResult) -> tuple[str, str]:
    """Return the kind of the verdict, and the verdict; nothing is called good that was not seen to hold."""
    states = [each.state for each in result.clauses]
    proved = counted(states.count(ClauseState.PROVED), "clause")
    if result.violated:
        return "bad", f"{counted(len(result.violated), 'clause')} violated"
    if result.finished.interrupted:
        return "open", f"Interrupted: {len(result.tests)} of {result.started.tests} tests had run"
    if given_up(result) or little_proved(result) is not None or ClauseState.PROVED not in states:
        return "open", f"Nothing violated, but only {proved} proved"
    warned = f", {counted(len(result.warned), 'warning')}" if result.warned else ""
    return "good", f"Nothing violated: {proved} proved{warned}"


def _remarks(result: SuiteResult) -> Iterator[Markup]:
    little = little_proved(result)
    remarks = [*given_up(result), *([] if little is None else [little]), *result.finished.sampled]
    if result.finished.interrupted and result.violated:
        remarks.append(f"interrupted: {len(result.tests)} of {result.started.tests} tests had run")
    if result.unsealed is not None:
        remarks.append(result.unsealed)
    for each in remarks:
        yield element("p", each, class_="remark")


def _facts(result: SuiteResult) -> Iterator[tuple[str, str]]:
    yield "tests", f"{len(result.tests):,}"
    yield "invocations", f"{sum(len(test.exchanges) for test in result.tests):,}"
    yield "time", f"{result.finished.seconds:.1f} s"
    yield "seed", str(result.started.seed)
    if result.started.inputs:
        yield "inputs", ", ".join(result.started.inputs)
    if result.coverage is not None and not result.coverage.unmeasured:
        yield "coverage", f"{result.coverage.percent} % of the handlers' lines"
