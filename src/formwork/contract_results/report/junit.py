"""The report as JUnit's XML: one case per test; violations fail it, warnings and clauses stand beside."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from formwork.contract_results.causes import Cause, finding_key, group_findings
from formwork.contract_results.findings import Finding
from formwork.contract_results.report.shown import Shown
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.test_result import TestResult
from formwork.diagnostics.visible import visible


def render_junit(result: SuiteResult) -> str:
    """Return the document.

    The suite has a property for each clause with its state. A case's `failure` has its violations, each with its cause
    and the handler's exception; its `system-out` its warnings and the clauses that held in it.
    """
    shown = Shown(result.started.masker())
    for finding in result.findings:  # so that the secrets are known before a message is shown
        shown.learn(finding.exchanges)
    failures = sum(bool(each.violations) for each in result.tests)
    skipped = sum(bool(each.skipped and not each.violations) for each in result.tests)
    seconds = sum(each.seconds for each in result.tests)
    counts = f'tests="{len(result.tests)}" failures="{failures}" skipped="{skipped}" errors="0" time="{seconds:.4f}"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<testsuites>",
        f'  <testsuite name="cfn test" {counts}>',
        "    <properties>",
        *_properties(result),
        "    </properties>",
        *_cases(result, shown),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _properties(result: SuiteResult) -> Iterator[str]:
    if result.finished.interrupted:
        yield _property("interrupted", f"{len(result.tests)} of {result.started.tests} tests had run")
    if result.unsealed:
        yield _property("unsealed", result.unsealed)
    for each in result.clauses:
        yield _property(f"clause.{each.clause}", f"{each.state}: {each.reason}" if each.reason else str(each.state))


def _property(name: str, value: str) -> str:
    return f"      <property name={quoteattr(name)} value={quoteattr(_clean(value))}/>"


def _cases(result: SuiteResult, shown: Shown) -> Iterator[str]:
    causes = {
        finding_key(finding): group.cause
        for group in group_findings(result.findings, library=result.library, root=result.root)
        for finding in group.findings
    }
    group_name = quoteattr(result.started.type_name)
    for test in result.tests:
        head = f'    <testcase classname={group_name} name={quoteattr(_clean(test.name))} time="{test.seconds:.4f}">'
        yield f"{head}{_outcome(test, causes, shown)}{_output(test, causes, shown)}</testcase>"


def _outcome(test: TestResult, causes: dict[object, Cause | None], shown: Shown) -> str:
    if test.violations:
        told = [_in_a_line(each, causes, shown) for each in test.violations]
        text = "\n".join([*told, *_traces(test.violations, causes, shown)])
        return f"<failure message={quoteattr(_clean(told[0]))}>{escape(_clean(text))}</failure>"
    if test.skipped:
        return f"<skipped message={quoteattr(_clean(test.skipped))}/>"
    return ""


def _output(test: TestResult, causes: dict[object, Cause | None], shown: Shown) -> str:
    lines = [f"warning: {_in_a_line(each, causes, shown)}" for each in test.findings if not each.is_violation]
    if test.held:
        lines.append(f"held: {', '.join(test.held)}")
    return f"<system-out>{escape(_clean(chr(10).join(lines)))}</system-out>" if lines else ""


def _in_a_line(finding: Finding, causes: dict[object, Cause | None], shown: Shown) -> str:
    cause = causes.get(finding_key(finding))
    return f"{finding.clause}: {shown.text(finding.text)}{f' ({shown.text(cause.text)})' if cause else ''}"


def _traces(findings: tuple[Finding, ...], causes: dict[object, Cause | None], shown: Shown) -> Iterator[str]:
    """Yield the exceptions behind the findings, each once."""
    traces: dict[tuple[str, ...], None] = {}
    for finding in findings:
        cause = causes.get(finding_key(finding))
        if cause is not None and cause.trace is not None:
            traces[cause.trace.lines] = None
    for lines in traces:
        yield ""
        yield from (shown.text(line) for line in lines)


def _clean(text: str) -> str:
    """Control characters made visible: XML has no way to write most of them, and build servers show the rest."""
    return visible(text)
