"""Where the differences of a finding are in its requests and answers."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from formwork.contract_results.findings import ABSENT, Finding, ModelDifference
from formwork.contract_results.report.shown import Shown
from formwork.diagnostics import parse_pointer
from formwork.report_pages.json_view import Path, ValueMark

_MOST_NOTE = 80
_NOWHERE: Any = object()
_MODELS = frozenset({"resourceModel", "resourceModels"})
# What an answer without a model can lack.
_MEMBERS = _MODELS | {"nextToken", "errorCode", "message", "callbackContext", "callbackDelaySeconds"}
# Where models are: in answers, and in requests as a report shows them.
_IN_ANSWERS: Sequence[Path] = (("resourceModel",), ())
_IN_REQUESTS: Sequence[Path] = (("desired",), ("previous",), ("model", "resourceProperties"))


class ExchangeMarks:
    """The marks of one exchange, by paths in its request and its answer."""

    def __init__(self) -> None:
        self.request: dict[Path, ValueMark] = {}
        self.answer: dict[Path, ValueMark] = {}


def find_marks(finding: Finding, shown: Shown) -> list[ExchangeMarks]:
    """Return the marks of each exchange: what differs in the last answer that has it, and where it was as expected."""
    found = _FoundMarks(finding, shown)
    for difference in finding.differences:
        found.add(difference)
    return found.marks


class _FoundMarks:
    def __init__(self, finding: Finding, shown: Shown) -> None:
        self.marks = [ExchangeMarks() for _ in finding.exchanges]
        self._shown = shown
        self._requests = [shown.request(each) for each in finding.exchanges]
        self._events = [each.event for each in finding.exchanges]

    def add(self, difference: ModelDifference) -> None:
        """Mark both sides of a difference, as far as the exchanges have them."""
        path = tuple(parse_pointer(difference.pointer))
        last = self._mark_actual(difference, path)
        if difference.expected is not ABSENT and difference.expected is not None:
            self._mark_expected(difference.expected, path, len(self.marks) - 1 if last is None else last)

    def _mark_actual(self, difference: ModelDifference, path: Path) -> int | None:
        """Mark the last answer that has the value, or lacks it; return its place."""
        for place in reversed(range(len(self.marks))):
            for whole in _places(self._events[place], path, _IN_ANSWERS, difference.actual):
                note = f"expected {self._side(difference)}"
                missing = difference.actual is ABSENT
                self.marks[place].answer[whole] = ValueMark("missing" if missing else "is", note, "(absent)")
                return place
        return None

    def _mark_expected(self, expected: Any, path: Path, last: int) -> None:
        """Mark where the value was as expected: in a request, else in an answer before."""
        inner = path[1:] if path[:1] == ("resourceModel",) else path
        for place in reversed(range(last + 1)):
            for whole in _places(self._requests[place], inner, _IN_REQUESTS, expected):
                self.marks[place].request.setdefault(whole, ValueMark("was", "expected"))
                return
        for place in reversed(range(last)):
            for whole in _places(self._events[place], path, _IN_ANSWERS, expected):
                self.marks[place].answer.setdefault(whole, ValueMark("was", "expected"))
                return

    def _side(self, difference: ModelDifference) -> str:
        if difference.expected is ABSENT:
            return "absent"
        text = json.dumps(self._shown.difference(difference.pointer, difference.expected), ensure_ascii=False)
        return text if len(text) <= _MOST_NOTE else f"{text[:_MOST_NOTE]}…"


def _places(value: Any, path: Path, prefixes: Sequence[Path], wanted: Any) -> Iterator[Path]:
    """Yield where below the prefixes a value is `wanted`, or missing in an object that exists."""
    for prefix in prefixes:
        if prefix and path[:1] and path[0] in _MODELS:
            continue
        whole = (*prefix, *path)
        if wanted is ABSENT:
            if not prefix and (not path or path[0] not in _MEMBERS):
                continue
            if isinstance(_at(value, whole[:-1]), dict | list) and _at(value, whole) is _NOWHERE:
                yield whole
        elif (found := _at(value, whole)) is not _NOWHERE and _is_same(found, wanted):
            yield whole


def _at(value: Any, path: Path) -> Any:
    for step in path:
        if isinstance(value, dict):
            value = value.get(step, _NOWHERE)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return _NOWHERE
    return value


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are the same as CloudFormation sends them: numbers and booleans may be texts."""
    if isinstance(one, dict | list) or isinstance(other, dict | list):
        return bool(one == other)
    return _as_text(one) == _as_text(other)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
