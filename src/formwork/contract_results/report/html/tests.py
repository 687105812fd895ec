"""The tests, folded to counts: a row per test, its input sets inside, and the invocations of each on a time line."""

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate

from formwork.contract_results.report.shown import Shown
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.test_result import TestResult
from formwork.invoke import Exchange
from formwork.report_pages.markup import Markup, element
from formwork.report_pages.parts import counted, meter, status

_MOST_INVOCATIONS = 2000  # of a page
_OUTCOMES = {"failed": "bad", "warned": "warned", "passed": "good", "skipped": "gone"}
_WORST = {"failed": 0, "warned": 1, "passed": 2, "skipped": 2}


def outcome(test: TestResult) -> str:
    """Return failed, warned, skipped or passed."""
    if test.violations:
        return "failed"
    return "warned" if test.findings else "skipped" if test.skipped else "passed"


class TestPages:
    """Renders the tests of one run, and links to them."""

    def __init__(self, result: SuiteResult, shown: Shown) -> None:
        self._tests = result.tests
        self._shown = shown
        self._places = {test.name: f"test-{number}" for number, test in enumerate(result.tests, 1)}
        self._left = _MOST_INVOCATIONS

    def link(self, name: str) -> Markup:
        """Return a test's name that leads to the test."""
        place = self._places.get(name)
        return element("code", name) if place is None else element("a", element("code", name), href=f"#{place}")

    def render(self) -> Markup:
        """Return all tests."""
        outcomes = [outcome(test) for test in self._tests]
        counts = [(kind, outcomes.count(name), name) for name, kind in _OUTCOMES.items()]
        said = ", ".join(f"{number:,} {name}" for _, number, name in counts if number)
        groups: dict[str, list[TestResult]] = {}
        for test in self._tests:
            groups.setdefault(test.name.partition("[")[0], []).append(test)
        failed_first = sorted(groups.items(), key=lambda group: _WORST[_worst(group[1])])
        return element(
            "section",
            element("h2", "Tests"),
            element("p", f"{counted(len(self._tests), 'test')}: {said}" if said else "No test ran.", class_="note"),
            meter([(kind, number) for kind, number, _ in counts], said) if said else None,
            element("div", *(self._group(name, tests) for name, tests in failed_first), class_="card flat"),
            id="tests",
        )

    def _group(self, name: str, tests: Sequence[TestResult]) -> Markup:
        if len(tests) == 1:
            return self._test(tests[0])
        outcomes = [outcome(test) for test in tests]
        calls = sum(len(test.exchanges) for test in tests)
        seconds = sum(test.seconds for test in tests)
        said = ", ".join(f"{outcomes.count(each)} {each}" for each in _OUTCOMES if each in outcomes)
        summary = _summary(_worst(tests), name, f"{counted(len(tests), 'input set')}: {said}", calls, seconds)
        return element("details", summary, *(self._test(test) for test in tests), class_="test")

    def _test(self, test: TestResult) -> Markup:
        state = outcome(test)
        starts = [0.0, *accumulate(each.answer.seconds for each in test.exchanges)]
        places = zip(test.exchanges[: self._left], starts, strict=False)
        rows = [self._invocation(each, start, starts[-1] or 1.0) for each, start in places]
        missing = len(test.exchanges) - len(rows)
        self._left -= len(rows)
        return element(
            "details",
            _summary(
                state, test.name, test.skipped and self._shown.text(test.skipped), len(test.exchanges), test.seconds
            ),
            element("ol", *rows, class_="invocations") if rows else None,
            element("p", f"{counted(missing, 'invocation')} more: the page would be too long", class_="note")
            if missing
            else None,
            class_="test",
            id=self._places[test.name],
        )

    def _invocation(self, exchange: Exchange, start: float, whole: float) -> Markup:
        """One invocation; its bar has its position in the test's time, without waits."""
        request = self._shown.request(exchange)
        action = str(request.pop("action"))
        said, kind = exchange.status or "no event", answer_kind(exchange)
        left, width = (100 * each / whole for each in (start, exchange.answer.seconds))
        bar = element("rect", class_=f"bar {kind}", x=f"{left:.2f}", width=f"{max(width, 0.8):.2f}", height=8)
        line = element("svg", bar, class_="meter", viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true")
        parts = (
            element("span", action, class_="action"),
            status(kind, said),
            line,
            element("span", milliseconds(exchange), class_="took"),
        )
        return element("li", element("details", element("summary", *parts), *self._details(request, exchange)))

    def _details(self, request: object, exchange: Exchange) -> Iterator[Markup]:
        yield element("pre", f"→ {_json(request)}\n← {_json(self._shown.answer(exchange))}")
        if calls := self._shown.call_lines(exchange):
            yield element("pre", "\n".join(f"> {line}" for line in calls))
        if log := self._shown.log(exchange):
            yield element("p", "The handler's log:", class_="note")
            yield element("pre", log)


def _worst(tests: Sequence[TestResult]) -> str:
    outcomes = {outcome(test) for test in tests}
    return next(each for each in _OUTCOMES if each in outcomes)


def answer_kind(exchange: Exchange) -> str:
    """Return good, busy or bad."""
    if exchange.status in {"SUCCESS", "IN_PROGRESS", "PENDING"}:
        return "good" if exchange.status == "SUCCESS" else "busy"
    return "bad"


def milliseconds(exchange: Exchange) -> str:
    """Return how long the handler took."""
    return f"{exchange.answer.seconds * 1000:,.1f} ms"


def _summary(state: str, name: str, said: str | None, calls: int, seconds: float) -> Markup:
    return element(
        "summary",
        status(_OUTCOMES[state], state),
        element("span", element("code", name), " ", element("span", said, class_="reason") if said else None),
        element("span", f"{counted(calls, 'invocation')}, {seconds * 1000:,.0f} ms", class_="took"),
    )


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
