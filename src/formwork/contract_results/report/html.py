"""The report as one self-contained page: clauses to filter, findings, and a timeline of all invocations."""

import html
import json
from itertools import accumulate
from typing import Any

from formwork.contract_results.clauses import CLAUSES
from formwork.contract_results.report.coverage import ranges_text
from formwork.contract_results.report.machine import result_to_json
from formwork.contract_results.report.shown import Shown
from formwork.contract_results.report.text import summary
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.test_result import TestResult
from formwork.diagnostics.visible import visible
from formwork.invoke import Exchange

_MOST_TIMELINE = 2000
_STYLE = """
:root{color-scheme:light dark;--bad:#c62828;--warn:#b26a00;--good:#2e7d32;--line:#8884}
body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
pre{white-space:pre-wrap;word-break:break-word;margin:.2rem 0;font-size:.85em}summary{cursor:pointer}
.violated,.violation{color:var(--bad)}.warned,.warning{color:var(--warn)}.proved{color:var(--good)}
.bar{display:inline-block;height:.6rem;min-width:2px;background:#5b8def}.FAILED .bar{background:var(--bad)}
.IN_PROGRESS .bar{background:var(--warn)}article{border-left:4px solid var(--line);padding-left:1rem;margin:1rem 0}
"""
_SCRIPT = """
const apply=()=>{const s=document.getElementById('state').value,t=document.getElementById('text').value.toLowerCase();
for(const r of document.querySelectorAll('[data-state]'))
r.hidden=(s&&r.dataset.state!==s)||(t&&!r.textContent.toLowerCase().includes(t))};
for(const i of ['state','text'])document.getElementById(i).addEventListener('input',apply);
"""


def render_html(result: SuiteResult, *, replay: str = "cfn test") -> str:
    """Return the page: no script, style or image from anywhere else."""
    data = result_to_json(result, replay=replay)
    shown = Shown(result.started.masker())
    title = f"Handler contract: {data['typeName']}"
    states = "".join(f"<option>{escape(each)}</option>" for each in sorted({row["state"] for row in data["clauses"]}))
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{_STYLE}</style>",
        f"<h1>{escape(title)}</h1><p>{escape(summary(result))}</p>",
        f"<p><label>state <select id=state><option value=''>all</option>{states}</select></label> ",
        "<label>text <input id=text type=search></label></p>",
        "<h2>Findings</h2>",
        *(_finding(each) for each in data["findings"]),
        "" if data["findings"] else "<p>None.</p>",
        *_left_behind(data),
        "<h2>Clauses</h2><table><tr><th>clause<th>level<th>state<th>in words</tr>",
        *(_clause(each) for each in data["clauses"]),
        "</table>",
        *_coverage(result),
        "<h2>Timeline</h2>",
        *_timeline(result, shown),
        f"<script>{_SCRIPT}</script></html>",
    ]
    return "\n".join(parts) + "\n"


def _left_behind(data: dict[str, Any]) -> list[str]:
    """Return what still exists after the run."""
    left = list(dict.fromkeys(_text(each) for each in data["leftovers"]))
    parts = ["<h2>Not deleted</h2>"] if left or data["nameless"] else []
    if left:
        items = "".join(f"<li><code>{escape(each)}</code>" for each in left)
        parts.append(f"<p>The delete handler did not delete them:</p><ul>{items}</ul>")
    if data["nameless"]:
        parts.append(f"<p>At least {data['nameless']} more: CREATE did not say what they are called.</p>")
    return parts


def _coverage(result: SuiteResult) -> list[str]:
    """Return which lines of the handlers' own code ran."""
    coverage = result.coverage
    if coverage is None:
        return []
    rows = [
        f"<tr><td><code>{escape(each.path)}</code><td>{each.percent} %<td>{escape(', '.join(ranges_text(each)))}</tr>"
        for each in coverage.files
    ]
    table = ["<table><tr><th>file<th>lines that ran<th>never run</tr>", *rows, "</table>"] if rows else []
    whole = f"not measured: {coverage.unmeasured}" if coverage.unmeasured else f"{coverage.percent} % of the lines ran"
    return [f"<h2>Handler coverage</h2><p>{escape(whole)}</p>", *table]


def _clause(row: dict[str, Any]) -> str:
    reason = f" ({escape(row['reason'])})" if row["reason"] else ""
    state = escape(row["state"])
    css = state.replace(" ", "-")
    return (
        f"<tr data-state='{state}'><td><code>{escape(row['id'])}</code><td>{escape(row['level'])}"
        f"<td class='{css}'>{state}{reason}<td>{escape(row['text'])}</tr>"
    )


def _finding(row: dict[str, Any]) -> str:
    state = "violated" if row["severity"] == "violation" else "warned"
    differences = "".join(
        f"<tr><td><code>{escape(each['pointer'])}</code><td><pre>{_value(each, 'expected')}</pre>"
        f"<td><pre>{_value(each, 'actual')}</pre></tr>"
        for each in row["differences"]
    )
    table = f"<table><tr><th>at<th>expected<th>actual</tr>{differences}</table>" if differences else ""
    exchanges = "".join(
        f"<pre>→ {escape(_text(each['request']))}\n← {escape(_text(each['answer']))}</pre>{_log(each['log'])}"
        for each in row["exchanges"]
    )
    cause = f"<p>cause: {escape(row['cause'])}</p>" if row["cause"] else ""
    if row["trace"]:
        cause += f"<pre>{escape(chr(10).join(row['trace']))}</pre>"
    if len(row["targets"]) > 1:
        cause += (
            f"<details><summary>{len(row['targets'])} targets</summary>{escape(', '.join(row['targets']))}</details>"
        )
    replay = f"<p>replay: <code>{escape(row['replay'])}</code></p>" if row["replay"] else ""
    return (
        f"<article data-state='{state}'><h3 class='{row['severity']}'>{escape(row['clause'])} ({escape(row['level'])})"
        f"</h3><p>clause: {escape(CLAUSES[row['clause']].text)}</p><p>found: {escape(row['message'])}</p>{cause}{table}"
        f"<details open><summary>requests and answers</summary>{exchanges}"
        f"</details><p>shown by: {escape(', '.join(row['tests']))}</p>{replay}</article>"
    )


def _log(text: str) -> str:
    """Return what the handler wrote, folded."""
    return f"<details><summary>the handler's log</summary><pre>{escape(text)}</pre></details>" if text else ""


def _value(row: dict[str, Any], name: str) -> str:
    return escape(_text(row[name])) if name in row else "(absent)"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _timeline(result: SuiteResult, shown: Shown) -> list[str]:
    parts, left = [], _MOST_TIMELINE
    for test in result.tests:
        starts = [0.0, *accumulate(each.answer.seconds for each in test.exchanges)]
        places = zip(test.exchanges[:left], starts, strict=False)
        rows = "".join(_row(each, shown, start, starts[-1] or 1.0) for each, start in places)
        left = max(0, left - len(test.exchanges))
        parts.append(
            f"<details data-state='{_state(test)}'><summary>{escape(test.name)}: {len(test.exchanges)} invocations, "
            f"{test.seconds * 1000:.0f} ms</summary><table>{rows}</table></details>"
        )
    return parts


def _state(test: TestResult) -> str:
    return "violated" if test.violations else "warned" if test.findings else "proved"


def _row(exchange: Exchange, shown: Shown, start: float, whole: float) -> str:
    """One invocation; its bar has its position in the test's time, without waits."""
    request = shown.request(exchange)
    action = escape(str(request.pop("action")))
    left, width = (20 * each / whole for each in (start, exchange.answer.seconds))
    return (
        f"<tr class='{escape(exchange.status or 'none')}'><td>{action}<td>{escape(exchange.status or 'no event')}"
        f"<td><span class=bar style='margin-left:{left:.2f}rem;width:{width:.2f}rem'></span>"
        f" {exchange.answer.seconds * 1000:.1f} ms"
        f"<td><details><summary>show</summary><pre>→ {escape(_text(request))}\n"
        f"← {escape(_text(shown.answer(exchange)))}</pre>{_log(shown.log(exchange))}</details></tr>"
    )


def escape(text: str) -> str:
    """Return the text as HTML shows it, control characters too."""
    return html.escape(visible(text))
