"""The coverage of handlers in a line and as JSON."""

import pytest

from formwork.contract_results.coverage import FileCoverage, HandlerCoverage
from formwork.contract_results.report.coverage import coverage_line, coverage_to_json, ranges_text


def file(path, lines, run):
    return FileCoverage(path, frozenset(lines), frozenset(run))


HANDLERS = file("src/acme/handlers.py", range(1, 11), [1, 2, 3, 8, 10])
OTHER = file("src/acme/deep/other.py", [1, 5], [1, 5])
MANY = file("src/acme/many.py", range(1, 26), range(1, 26, 2))
MORE = file("src/acme/more.py", range(1, 28), range(1, 28, 2))


@pytest.mark.parametrize(
    ("coverage", "line"),
    [
        (HandlerCoverage((HANDLERS,)), "50 % of handlers.py, not run: 4-7, 9"),
        (HandlerCoverage((OTHER,)), "100 % of deep/other.py"),
        (HandlerCoverage((HANDLERS, OTHER)), "58 % of 2 files; handlers.py 50 %, not run: 4-7, 9"),
        (HandlerCoverage(()), "100 % of 0 files"),
        (HandlerCoverage((), "Node is missing"), "not measured: Node is missing"),
        (HandlerCoverage((MANY,)), "52 % of many.py, not run: 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24"),
        (HandlerCoverage((MORE,)), "51 % of more.py, not run: 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24 and 1 more"),
    ],
)
def test_in_a_line(coverage, line):
    assert coverage_line(coverage) == f"handler coverage: {line}"


def test_as_json():
    assert coverage_to_json(HandlerCoverage((HANDLERS, OTHER))) == {
        "unmeasured": None,
        "percent": 58,
        "files": [
            {"file": "src/acme/handlers.py", "percent": 50, "lines": 10, "run": 5, "neverRun": [[4, 7], [9, 9]]},
            {"file": "src/acme/deep/other.py", "percent": 100, "lines": 2, "run": 2, "neverRun": []},
        ],
    }
    assert coverage_to_json(HandlerCoverage((), "why")) == {"unmeasured": "why", "percent": None, "files": []}


def test_lines_without_code_do_not_divide_a_range():
    assert ranges_text(file("x", [1, 2, 5, 9, 12], [1, 9])) == ["2-5", "12"]
    assert ranges_text(file("x", [], [])) == []
    assert file("x", [], []).percent == 100
    assert file("x", range(3), range(2)).percent == 66
