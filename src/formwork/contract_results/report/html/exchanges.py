"""The exchange that shows a finding: a sequence diagram, and beside it what was sent, answered and logged."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from formwork.contract_results.findings import Finding
from formwork.contract_results.report.exchange_text import is_callback
from formwork.contract_results.report.html.marks import ExchangeMarks, find_marks
from formwork.contract_results.report.html.tests import answer_kind, milliseconds
from formwork.contract_results.report.shown import Shown
from formwork.invoke import Exchange
from formwork.report_pages.json_view import render_json_value
from formwork.report_pages.markup import Child, Markup, element, joined
from formwork.report_pages.parts import counted, status

_MOST_ROWS = 16
_MOST_CALLS = 8
_MOST_NAMES = 4
# Members of requests that a name in the diagram stands for.
_MODELS = ("desired", "model")


class _Row(Struct):
    """One line of the diagram: an exchange, with the polls that followed it and were answered alike."""

    exchange: Exchange
    request: dict[str, Any]
    answer: Any
    marks: ExchangeMarks
    called_back: bool
    polls: int = 0


def render_exchanges(finding: Finding, shown: Shown, name: str, beside: Child) -> Markup:
    """Return the diagram and its details; `name` begins their ids, `beside` is shown above the details."""
    rows = _rows(finding, shown)
    left_out = len(rows) - _MOST_ROWS
    numbered = list(enumerate(rows, 1))
    first, last = (numbered, []) if left_out <= 0 else (numbered[: _MOST_ROWS // 2], numbered[-_MOST_ROWS // 2 :])
    with_calls = any(row.exchange.answer.calls for _, row in (*first, *last))
    chosen = next((number for number, row in reversed((*first, *last)) if row.marks.answer), len(rows))
    items = [_item(row, shown, f"{name}-{number}", chosen=number == chosen) for number, row in first]
    if left_out > 0:
        items.append(element("li", f"… {counted(left_out, 'invocation')} more …", class_="more"))
    items += [_item(row, shown, f"{name}-{number}", chosen=number == chosen) for number, row in last]
    heads = ("CloudFormation", "handler", *(["services"] if with_calls else []))
    diagram = element(
        "div",
        element("div", *(element("span", head) for head in heads), class_="actors", aria_hidden="true"),
        element("ol", *items),
        class_=f"sequence{' three' if with_calls else ''}",
    )
    panels = (_panel(row, shown, f"{name}-{number}") for number, row in (*first, *last))
    return element("div", diagram, element("div", beside, *panels, class_="panels"), class_="exchange")


def _rows(finding: Finding, shown: Shown) -> list[_Row]:
    rows: list[_Row] = []
    before: dict[str, Any] = {}
    answer: Any = None
    for exchange, marks in zip(finding.exchanges, find_marks(finding, shown), strict=True):
        request = shown.request(exchange)
        called_back = is_callback(request, before, answer)
        before, answer = request, shown.answer(exchange)
        is_poll = called_back and exchange.unfinished and bool(rows) and rows[-1].called_back
        if is_poll and rows[-1].exchange.unfinished and not marks.answer:
            rows[-1].polls += 1
            continue
        rows.append(_Row(exchange, request, answer, marks, called_back))
    return rows


def _item(row: _Row, shown: Shown, name: str, *, chosen: bool) -> Markup:
    marked = bool(row.marks.answer)
    asked = element("span", "expected", class_="expected") if row.marks.request else None
    calls = shown.call_lines(row.exchange)
    lines = [element("span", line, class_="arrow out") for line in calls[:_MOST_CALLS]]
    if len(calls) > _MOST_CALLS:
        lines.append(element("span", f"and {counted(len(calls) - _MOST_CALLS, 'call')} more", class_="arrow out"))
    button = element(
        "button",
        element("span", element("b", str(row.request["action"])), " ", _sent(row), asked, class_="arrow to"),
        *lines,
        element(
            "span",
            element("b", row.exchange.status or "no event"),
            f" {milliseconds(row.exchange)}",
            element("span", "differs", class_="differs") if marked else None,
            class_=f"arrow back {answer_kind(row.exchange)}{' marked' if marked else ''}",
        ),
        type="button",
        aria_controls=name,
        aria_pressed="true" if chosen else "false",
    )
    again = f"and {counted(row.polls, 'more poll')}, each answered IN_PROGRESS" if row.polls else None
    return element("li", button, element("span", again, class_="again") if again else None)


def _sent(row: _Row) -> str:
    """Return what a request is about, in some words."""
    if row.called_back:
        return "again, with its callbackContext"
    if target := row.request.get("target"):
        return str(target)
    model = next((row.request[each] for each in _MODELS if isinstance(row.request.get(each), dict)), None)
    if model is None:
        return "the next page" if "nextToken" in row.request else ""
    names = list(model)
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" +{more}" if more > 0 else "")


def _panel(row: _Row, shown: Shown, name: str) -> Markup:
    request = {key: value for key, value in row.request.items() if key != "action"}
    said = row.exchange.status or "no event"
    head = element("p", element("b", str(row.request["action"])), " ", status(answer_kind(row.exchange), said),
                   element("span", milliseconds(row.exchange), class_="took"), class_="panel-head")  # fmt: skip
    answer = row.answer if isinstance(row.answer, dict) else None
    sides = (
        element("div", element("p", "request", class_="label"), render_json_value(request, row.marks.request)),
        element(
            "div",
            element("p", "answer", class_="label"),
            element("pre", str(row.answer)) if answer is None else render_json_value(answer, row.marks.answer),
        ),
    )
    return element("div", head, element("div", *sides, class_="sides"), *_more(row, shown), class_="panel", id=name)


def _more(row: _Row, shown: Shown) -> Iterator[Markup]:
    """Yield the calls of services and the log of an exchange."""
    if calls := shown.call_lines(row.exchange):
        yield joined(element("p", "calls of services", class_="label"), element("pre", "\n".join(calls)))
    if log := shown.log(row.exchange):
        yield joined(element("p", "the handler's log", class_="label"), scrolling(log, "the handler's log"))


def scrolling(text: Child, label: str) -> Markup:
    """Return a text that may be long, in a part that scrolls."""
    return element("pre", text, class_="scrolling", tabindex="0", role="group", aria_label=label)
