"""The report for machines: JSON, and JUnit's XML."""

import json
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from formwork.contract.clauses import CLAUSES
from formwork.contract.findings import ABSENT, Difference, Finding
from formwork.contract.libraries import cause_of
from formwork.contract.report.shown import Shown
from formwork.contract.suite import SuiteResult


def result_to_json(result: SuiteResult, *, replay: str = "cfn test") -> dict[str, Any]:
    """`{typeName, passed, seed, clauses, findings, tests, leftovers, nameless}`; findings with their exchanges.

    `nameless` counts the resources that no answer named, so that nothing can delete them.
    """
    shown = Shown(result.subject.secrets)
    return {
        "typeName": result.subject.schema.type_name,
        "passed": result.passed,
        "seed": result.subject.seed,
        "clauses": [
            {
                "id": each.clause,
                "level": CLAUSES[each.clause].level,
                "text": CLAUSES[each.clause].text,
                "state": each.state,
                "reason": each.reason or None,
                "tests": list(each.tests),
            }
            for each in result.clauses()
        ],
        "findings": [_finding(each, result, shown, replay) for each in result.findings],
        "tests": [
            {
                "name": each.name,
                "outcome": "failed" if each.violations else "skipped" if each.skipped else "passed",
                "reason": each.skipped,
                "seconds": round(each.seconds, 4),
                "invocations": len(each.exchanges),
            }
            for each in result.tests
        ],
        "leftovers": [shown.model(each) for each in result.leftovers],
        "nameless": result.nameless,
    }


def render_json(result: SuiteResult, *, replay: str = "cfn test") -> str:
    """The JSON report as text."""
    return json.dumps(result_to_json(result, replay=replay), indent=2, ensure_ascii=False) + "\n"


def _finding(finding: Finding, result: SuiteResult, shown: Shown, replay: str) -> dict[str, Any]:
    tests = result.tests_with(finding)
    exchanges = [
        {"request": shown.request(each), "answer": shown.answer(each), "seconds": round(each.answer.seconds, 4)}
        for each in finding.exchanges[:20]
    ]
    return {
        "clause": finding.clause,
        "level": finding.level,
        "severity": "violation" if finding.is_violation else "warning",
        "message": shown.text(finding.message),
        "cause": cause_of(finding, result.library),
        "differences": [_difference(each, shown) for each in finding.differences],
        "exchanges": exchanges,
        "tests": tests,
        "replay": f"{replay} -- -k {tests[0].partition('[')[0]}" if tests else None,
    }


def _difference(difference: Difference, shown: Shown) -> dict[str, Any]:
    row: dict[str, Any] = {"pointer": difference.pointer}
    for name, value in (("expected", difference.expected), ("actual", difference.actual)):
        if value is not ABSENT:
            row[name] = shown.difference(difference.pointer, value)
    return row


def render_junit(result: SuiteResult) -> str:
    """JUnit's XML: one case a test, violations as failures."""
    shown = Shown(result.subject.secrets)
    for finding in result.findings:  # so that the secrets are known before a message is shown
        shown.learn(finding.exchanges)
    cases = []
    for test in result.tests:
        inner = ""
        if test.violations:
            told = [_in_a_line(each, result, shown) for each in test.violations]
            text, first = "\n".join(told), told[0]
            inner = f"<failure message={quoteattr(_clean(first))}>{escape(_clean(text))}</failure>"
        elif test.skipped:
            inner = f"<skipped message={quoteattr(_clean(test.skipped))}/>"
        name, group = quoteattr(test.name), quoteattr(result.subject.schema.type_name)
        cases.append(f'    <testcase classname={group} name={name} time="{test.seconds:.4f}">{inner}</testcase>')
    failures = sum(bool(each.violations) for each in result.tests)
    skipped = sum(bool(each.skipped and not each.violations) for each in result.tests)
    seconds = sum(each.seconds for each in result.tests)
    counts = f'tests="{len(cases)}" failures="{failures}" skipped="{skipped}" errors="0" time="{seconds:.4f}"'
    lines = ["<testsuites>", f'  <testsuite name="cfn test" {counts}>', *cases, "  </testsuite>", "</testsuites>"]
    return '<?xml version="1.0" encoding="utf-8"?>\n' + "\n".join(lines) + "\n"


def _in_a_line(finding: Finding, result: SuiteResult, shown: Shown) -> str:
    cause = cause_of(finding, result.library)
    return f"{finding.clause}: {shown.text(finding.message)}{f' ({cause})' if cause else ''}"


def _clean(text: str) -> str:
    """Without the control characters that XML has no way to write."""
    return "".join(letter for letter in text if letter >= " " or letter in "\n\t")
