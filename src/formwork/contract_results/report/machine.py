"""The report for machines, as JSON."""

import json
from typing import Any

from formwork.contract_results.causes import Cause, group_findings
from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.findings import ABSENT, Finding, ModelDifference
from formwork.contract_results.report.coverage import coverage_to_json
from formwork.contract_results.report.shown import Shown, replay_of
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.traces import relative
from formwork.diagnostics.visible import visible


def result_to_json(result: SuiteResult, *, replay: str = "cfn test") -> dict[str, Any]:
    """`{typeName, passed, interrupted, seed, unsealed, clauses, findings, tests, leftovers, nameless, coverage}`.

    Findings have their exchanges, with what the handlers wrote meanwhile; `place` is the line of the project whose
    exception was the cause, where a log shows one.

    `nameless` counts the resources that no answer named, so that nothing can delete them.
    """
    shown = Shown(result.started.masker())
    groups = group_findings(result.findings, library=result.library, root=result.root)
    return {
        "typeName": result.started.type_name,
        "passed": result.passed,
        "interrupted": result.finished.interrupted,
        "seed": result.started.seed,
        "unsealed": result.unsealed,
        "clauses": [
            {
                "id": each.clause,
                "level": CLAUSES[each.clause].level,
                "text": CLAUSES[each.clause].text,
                "state": each.state,
                "reason": each.reason or None,
                "tests": list(each.tests),
            }
            for each in result.clauses
        ],
        "findings": [
            _finding(finding, group.cause, result, shown, replay) for group in groups for finding in group.findings
        ],
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
        "nameless": result.finished.nameless,
        "coverage": None if result.coverage is None else coverage_to_json(result.coverage),
    }


def render_json(result: SuiteResult, *, replay: str = "cfn test") -> str:
    """Return the JSON report as text."""
    return visible(json.dumps(result_to_json(result, replay=replay), indent=2, ensure_ascii=False)) + "\n"


def _finding(finding: Finding, cause: Cause | None, result: SuiteResult, shown: Shown, replay: str) -> dict[str, Any]:
    tests = result.tests_with(finding)
    exchanges = [
        {
            "request": shown.request(each),
            "answer": shown.answer(each),
            "seconds": round(each.answer.seconds, 4),
            "log": shown.log(each),
            **({} if each.answer.calls is None else {"calls": shown.calls(each)}),
        }
        for each in finding.exchanges[:20]
    ]
    return {
        "clause": finding.clause,
        "level": finding.level,
        "severity": "violation" if finding.is_violation else "warning",
        "message": shown.text(finding.text),
        "cause": None if cause is None else shown.text(cause.text),
        **_place(cause, result.root, shown),
        "trace": [shown.text(line) for line in cause.trace.lines] if cause is not None and cause.trace else None,
        "targets": list(finding.targets),
        "differences": [_difference(each, shown) for each in finding.differences],
        "exchanges": exchanges,
        "tests": tests,
        "replay": replay_of(replay, tests) if tests else None,
    }


def _place(cause: Cause | None, root: str, shown: Shown) -> dict[str, Any]:
    if cause is None or cause.trace is None or cause.trace.frame is None:
        return {}
    frame = cause.trace.frame
    return {"place": {"file": shown.text(relative(frame.file, root)), "line": frame.line, "function": frame.name}}


def _difference(difference: ModelDifference, shown: Shown) -> dict[str, Any]:
    row: dict[str, Any] = {"pointer": difference.pointer}
    for name, value in (("expected", difference.expected), ("actual", difference.actual)):
        if value is not ABSENT:
            row[name] = shown.difference(difference.pointer, value)
    return row
