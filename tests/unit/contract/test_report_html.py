"""The report as a page, compared with golden files: findings, what was left behind, coverage, the timeline."""

import itertools
import re
import time
from types import SimpleNamespace

import pytest

from formwork.contract import suite
from formwork.contract.suite import run_suite
from formwork.contract_results.coverage import FileCoverage, HandlerCoverage
from formwork.contract_results.report.finding_text import named_tests
from formwork.contract_results.report.html import render_html
from formwork.contract_results.report.machine import render_json
from formwork.contract_results.report.text import render_text
from formwork.invoke import in_process
from formwork.report_pages.markup import escape
from support.broken import BROKEN
from support.broken import subject_of as broken_subject
from support.broken_hooks import BROKEN_HOOKS
from support.contract_subjects import subject_of
from support.mutants import MUTANTS, mutated
from support.plain_reports import plain
from support.shapes import SHAPES, named


@pytest.fixture(autouse=True)
def _counted_time(monkeypatch):
    """Each look at the clock is a hundredth of a second after the one before."""
    for module in (in_process, suite):
        clock = itertools.count()
        fake = SimpleNamespace(perf_counter=lambda clock=clock: next(clock) / 100, monotonic=time.monotonic)
        monkeypatch.setattr(module, "time", fake)


FILES = (
    FileCoverage("src/acme/handlers.py", frozenset(range(1, 9)), frozenset({1, 2, 5, 8})),
    FileCoverage("src/acme/deep/<other>.py", frozenset({1}), frozenset({1})),
)


def body(page, *, clauses=False):
    """A page without its style and its script, a line for each element that begins one; `clauses`: with their list."""
    text = page.partition("</style>")[2].partition("<script>")[0]
    before, _, after = text.partition('<section id="clauses">')
    listed, _, after = after.partition('<section id="tests">')
    text = f"{before}{listed if clauses else '(clauses)'}<section{after}"
    for tag in (
        "<tr",
        "<details",
        "<p>",
        "<p ",
        "<pre",
        "<h2",
        "<h3",
        "<h4",
        "<section",
        "<button",
        "<li",
        "<svg",
        "<div",
    ):
        text = text.replace(tag, f"\n{tag}")
    text = re.sub(r'(<rect[^>]*) x="[\d.]+" width="[\d.]+"', r"\1", text)
    text = re.sub(r"\b[\d.,]+ m?s\b", "<time>", text)
    return plain("\n".join(line for line in text.splitlines() if line.strip())) + "\n"


def violation(name, tests):
    each = next(each for each in MUTANTS if each.name == name)
    schema = SHAPES[each.shapes[0]]()
    return run_suite(subject_of(mutated(each, schema), schema), names=tests)


def broken(name, tests, make=named):
    each = next(each for each in BROKEN if each.name == name)
    return run_suite(broken_subject(each, make())[0], names=tests)


def hook(name):
    return run_suite(next(each for each in BROKEN_HOOKS if each.name == name).subject())


CASES = {
    "differences": lambda: violation("create.applied:turns_steps_around", ["contract_create_read"]),
    "left out": lambda: violation("create.echo:leaves_out_title", ["contract_create_read"]),
    "left behind": lambda: broken("delete_always_InternalFailure", ["contract_create_read", "contract_create_list"]),
    "nameless": lambda: violation("event.identifier:no_model_from_CREATE", ["contract_create_read"]),
    "crash": lambda: broken("read_crashes", ["contract_create_read"]),
    "nothing found": lambda: violation("create.applied:turns_steps_around", ["contract_read_without_create"]),
}


@pytest.mark.parametrize("name", CASES)
def test_pages(name, golden):
    result = CASES[name]()
    if name == "differences":
        result.coverage = HandlerCoverage(FILES)
    if name == "nothing found":
        result.coverage = HandlerCoverage((), "Node is not <installed>")
    golden(f"contract/pages/{name}.html", body(render_html(result), clauses=name == "nothing found"))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("colour", [False, True])
def test_texts(name, colour, golden):
    text = render_text(CASES[name](), replay="my replay", width=100, colour=colour)
    golden(f"contract/pages/{name}{' in colour' if colour else ''}.txt", plain(text))


def test_a_page_is_whole_and_needs_nothing_from_elsewhere():
    page = render_html(CASES["crash"](), replay="my <replay>")
    assert page.startswith(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"'
    )
    assert "<title>Handler contract: Acme::Shapes::Named</title>" in page
    assert page.endswith("</script></body></html>\n")
    assert "my &lt;replay&gt; -- -k contract_create_read" in page
    assert ">cfn test -- -k contract_create_read</code>" in render_html(CASES["crash"]())
    assert "http:" not in page
    assert "https:" not in page
    assert page.count("<script>") == page.count("<style>") == 1
    assert " style=" not in page  # which the page's own policy forbids
    assert " on" not in "".join(re.findall("<[^>]*>", page.partition("</style>")[2].partition("<script>")[0]))


def test_of_very_many_invocations_the_first_are_in_the_timeline(monkeypatch):
    monkeypatch.setattr("formwork.contract_results.report.html.tests._MOST_INVOCATIONS", 3)
    result = broken("read_crashes", ["contract_create_read", "contract_create_delete"])
    counts = [len(each.exchanges) for each in result.tests]
    assert sum(counts) > 3
    tests = render_html(result).partition('<section id="tests">')[2]
    assert tests.count('class="action"') == 3
    assert sum(map(int, re.findall(r"(\d+) invocations? more", tests))) == sum(counts) - 3


def test_hooks_have_targets(golden):
    golden("contract/pages/hook.html", body(render_html(hook("create always fails with InternalFailure"))))


def test_the_report_for_machines_is_a_line_for_each_member():
    text = render_json(CASES["differences"](), replay="my replay")
    assert text.startswith('{\n  "typeName": "Acme::Shapes::')
    assert text.endswith("\n}\n")
    assert '"replay": "my replay -- -k contract_create_read"' in text
    assert '"replay": "cfn test -- -k contract_create_read"' in render_json(CASES["differences"]())


def test_control_characters_are_shown():
    assert escape("<a\x1b[31m&'\">") == "&lt;a\\x1b[31m&amp;'\"&gt;"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], ""),
        (["a"], "a"),
        (["a[x]", "b", "a[y]"], "a[x, y], b"),
        (list("abcd"), "a, b, c, d"),
        (list("abcdef"), "a, b, c, d and 2 more"),
    ],
)
def test_tests_are_named_with_their_input_sets(names, expected):
    assert named_tests(names) == expected
