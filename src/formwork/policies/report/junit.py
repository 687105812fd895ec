"""The report as JUnit's XML: one test case per case; gaps of the coverage and mutants are properties of the suite."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from formwork.diagnostics.visible import visible
from formwork.policies.policy_run import PolicyResult
from formwork.policies.report.text import gap_line, mutant_line, problem_lines


def render_junit(result: PolicyResult) -> str:
    """Return the document."""
    failures = sum(not each.passed for each in result.cases)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<testsuites>",
        f'  <testsuite name="cfn test" tests="{len(result.cases)}" failures="{failures}" skipped="0" errors="0">',
        "    <properties>",
        *(_property("coverage", gap_line(gap)) for each in result.coverage for gap in each.gaps),
        *(_property("mutant", mutant_line(each)) for each in result.gaps),
        "    </properties>",
        *_cases(result),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _cases(result: PolicyResult) -> Iterator[str]:
    for each in result.cases:
        files = ", ".join(file.name for file in each.case.files)
        told = list(problem_lines(each))
        text = visible("\n".join(told))
        failure = f"<failure message={quoteattr(visible(told[0]))}>{escape(text)}</failure>" if told else ""
        name = quoteattr(visible(each.case.name))
        yield f"    <testcase classname={quoteattr(files)} name={name}>{failure}</testcase>"


def _property(name: str, value: str) -> str:
    return f"      <property name={quoteattr(name)} value={quoteattr(visible(value))}/>"
