"""The report as one self-contained page: cases, what of the rules no case covers, and mutants that no rule refused."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from formwork.diagnostics import Location
from formwork.policies.case import CaseKind
from formwork.policies.coverage import CoverageGap, GapKind, RuleCoverage
from formwork.policies.mutants import MutantGap
from formwork.policies.policy_run import CaseResult, Mismatch, PolicyResult
from formwork.report_pages.markup import Child, Markup, element, joined
from formwork.report_pages.page import render_page, render_verdict
from formwork.report_pages.parts import command, counted, facts, meter, status, tiles

_KINDS = {"PASS": "good", "FAIL": "bad", "SKIP": "gone"}
_EXPECTED = {
    CaseKind.PASS: "no rule fails",
    CaseKind.FAIL: "one or more rules fail",
    CaseKind.EXACT: "a status of each rule",
}


def render_html(result: PolicyResult, *, replay: str = "cfn test") -> str:
    """Return the page; `replay` is the command that makes the run again."""
    gaps = sum(len(each.gaps) for each in result.coverage)
    return render_page(
        "Guard rules",
        _head(result, replay, gaps),
        _cases(result),
        _coverage(result),
        _mutants(result),
        sections=(
            ("cases", "Cases", str(len(result.cases))),
            ("coverage", "Coverage", counted(gaps, "gap")),
            ("mutants", "Mutants", str(result.mutants)),
        ),
    )


def _head(result: PolicyResult, replay: str, gaps: int) -> Markup:
    failed = sum(not each.passed for each in result.cases)
    passed = len(result.cases) - failed
    names = [file.name for file in result.project.files]
    kind, said = _verdict(result, failed, gaps)
    rules = sum(each.rules for each in result.coverage)
    return element(
        "section",
        render_verdict(kind, "Guard rules", names[0] if len(names) == 1 else counted(len(names), "file"), said),
        tiles(
            (
                ("bad", failed, "failed" if failed == 1 else "cases failed"),
                ("good", passed, "cases as expected"),
                ("warned", gaps, "not covered"),
                ("open", len(result.gaps), "mutants not refused"),
            )
        ),
        meter([("bad", failed), ("good", passed)], f"{failed} cases failed, {passed} went as expected"),
        facts((("rules", str(rules)), ("mutants", str(result.mutants)), ("seed", str(result.seed)))),
        command(replay),
        class_="hero",
    )


def _verdict(result: PolicyResult, failed: int, gaps: int) -> tuple[str, str]:
    if failed:
        return "bad", f"{counted(failed, 'case')} failed"
    if not result.cases:
        return "open", "No cases"
    if gaps or result.gaps:
        return "open", "All cases as expected, with gaps"
    return "good", "All cases as expected"


def _cases(result: PolicyResult) -> Markup:
    failed_first = sorted(result.cases, key=lambda each: each.passed)
    unused = (element("p", f"{each} is not a case of any rules", class_="remark") for each in result.project.unused)
    cases = element("div", *map(_case, failed_first), class_="card flat") if result.cases else None
    return element("section", element("h2", "Cases"), cases, *unused, id="cases")


def _case(result: CaseResult) -> Markup:
    summary = element(
        "summary",
        status("good" if result.passed else "bad", "as expected" if result.passed else "failed"),
        element("span", element("code", result.case.name), " ", element("span", _expectation(result), class_="reason")),
        element("span", counted(len(result.statuses), "rule"), class_="took"),
    )
    problem = element("p", f"{_at(result.case.location)}: {result.problem}") if result.problem else None
    rules = (
        element("li", *(joined(status(_KINDS.get(each, "idle"), each), " ") for each in sorted(statuses)), rule)
        for rule, statuses in sorted(result.statuses.items())
    )
    inside = (problem, *map(_mismatch, result.mismatches), element("ul", *rules, class_="plain"))
    return element("details", summary, element("div", *inside, class_="inside"), class_="test", open=not result.passed)


def _expectation(result: CaseResult) -> str:
    return f"expected: {_EXPECTED[result.case.kind]}"


def _mismatch(mismatch: Mismatch) -> Markup:
    rule = mismatch.rule or "a rule"
    actual = mismatch.actual or "rule not found"
    head = element("p", element("b", rule), " ", element("code", f"{mismatch.rule_file}:{mismatch.rule_line}"))
    differs = element(
        "p",
        *("expected ", status(_KINDS.get(mismatch.expected, "idle"), mismatch.expected)),
        *(" got ", status(_KINDS.get(mismatch.actual, "bad"), actual)),
    )
    checks = (
        element("li", element("code", f"{_at(each.location)} {each.location.pointer or '/'}"), " ", each.message)
        for each in mismatch.failed
    )
    place = element("p", "in ", element("code", _at(mismatch.location)), class_="note")
    return element("div", head, differs, place, element("ul", *checks) if mismatch.failed else None, class_="mismatch")


def _coverage(result: PolicyResult) -> Markup:
    return element("section", element("h2", "Coverage"), *map(_file, result.coverage), id="coverage")


def _file(coverage: RuleCoverage) -> Markup:
    rows = (
        ("rules that passed", coverage.passed, coverage.rules),
        ("rules that failed", coverage.failed, coverage.rules),
        ("blocks entered", coverage.entered, coverage.blocks),
        ("checks that failed", coverage.refused, coverage.checks),
    )
    bars = (
        element(
            "div",
            element("span", name),
            meter([("good", number), ("gone", of - number)], f"{name}: {number} of {of}"),
            element("span", f"{number} of {of}", class_="took"),
            class_="measure",
        )
        for name, number, of in rows
    )
    return element("div", element("h3", element("code", coverage.file)), *bars, *_gaps(coverage.gaps), class_="card")


def _gaps(gaps: Sequence[CoverageGap]) -> Iterator[Markup]:
    if not gaps:
        return
    names = ("line", "rule", "not covered", "part")
    rows = (
        element(
            "tr",
            element("td", gap.line, class_="number"),
            element("td", gap.rule, class_="wide"),
            element("td", status("warned", gap.kind)),
            element("td", element("code", gap.source) if _has_source(gap) else None, class_="wide"),
        )
        for gap in gaps
    )
    yield _table(names, rows)


def _has_source(gap: CoverageGap) -> bool:
    return gap.kind in {GapKind.NEVER_ENTERED, GapKind.CHECK_NEVER_FAILED}


def _mutants(result: PolicyResult) -> Markup:
    left = (
        f" of {result.possible:,} that are possible (--examples sets how many)"
        if result.possible > result.mutants
        else ""
    )
    said = element("p", f"{counted(result.mutants, 'mutant')} of passing cases{left}, {len(result.gaps)} not refused.")
    names = ("place", "change", "check that looks at it")
    cases = (
        element("div", element("h3", element("code", name)), _table(names, map(_mutant, gaps)), class_="card")
        for name, gaps in groupby(result.gaps, key=lambda each: each.case)
    )
    return element("section", element("h2", "Mutants"), said, *cases, id="mutants")


def _mutant(gap: MutantGap) -> Markup:
    place = element("code", f"{gap.case_file}:{gap.case_line} {gap.pointer}")
    check = joined(gap.rule, " ", element("code", f"{gap.rule_file}:{gap.rule_line}"))
    return element("tr", *(element("td", each, class_="wide") for each in (place, gap.change, check)))


def _table(names: Sequence[str], rows: Child) -> Markup:
    head = element("tr", *(element("th", each, scope="col") for each in names))
    return element("table", element("thead", head), element("tbody", rows))


def _at(location: Location) -> str:
    return f"{location.file}:{location.start.line}" if location.start else str(location.file)
