"""Whole runs of the contract tests compared with golden files: what was called, found and proved, in each report."""

import json

import pytest

from formwork.contract.suite import run_suite
from formwork.contract_results.report.exchange_text import exchange_lines
from formwork.contract_results.report.junit import render_junit
from formwork.contract_results.report.machine import result_to_json
from formwork.contract_results.report.shown import Shown
from formwork.contract_results.report.text import render_text
from formwork.simulate import Simulator
from support.broken import BROKEN
from support.broken import subject_of as broken_subject
from support.broken_hooks import BROKEN_HOOKS
from support.contract_subjects import subject_of
from support.hooks import conforming, hook_subject
from support.mutants import MUTANTS, mutated
from support.plain_reports import plain
from support.shapes import SHAPES

RESOURCES = (
    *("read_always_NotFound", "second_page_fails", "create_is_late_at_its_callback", "create_makes_two"),
    *("deleted_is_still_listed", "every_second_update_fails"),
)
HOOKS = tuple(each.name for each in BROKEN_HOOKS)[::12]


def reports(result):
    """The JSON, JUnit and text reports of a run, and what each of its tests sent and got."""
    shown = Shown(result.started.masker())
    yield "== json", json.dumps(result_to_json(result), indent=1, ensure_ascii=False)
    yield "== junit", render_junit(result)
    yield "== text", render_text(result)
    if result.findings:
        return  # the reports show what was sent and answered
    for test in result.tests:
        yield (
            f"== {test.name}{f': skipped: {test.skipped}' if test.skipped else ''}",
            "\n".join(exchange_lines(test.exchanges, shown)),
        )


def check(name, result, golden):
    golden(f"contract/runs/{name}.txt", plain("\n".join(f"{title}\n{text}" for title, text in reports(result))) + "\n")


@pytest.mark.parametrize("name", sorted(SHAPES)[:1])
def test_sound_handlers(name, golden):
    schema = SHAPES[name]()
    check(f"sound-{name}", run_suite(subject_of(Simulator(schema), schema)), golden)


@pytest.mark.parametrize("each", [each for each in BROKEN if each.name in RESOURCES], ids=lambda each: each.name)
def test_broken_handlers(each, golden):
    subject, _ = broken_subject(each, SHAPES[each.shape]())
    check(each.name, run_suite(subject), golden)


@pytest.mark.parametrize("each", [each for each in BROKEN_HOOKS if each.name in HOOKS], ids=lambda each: each.name)
def test_broken_hooks(each, golden):
    check(f"hook-{each.name}", run_suite(each.subject()), golden)


def test_sound_hooks(golden):
    check("sound-hook", run_suite(hook_subject(conforming)), golden)


def test_mutants(golden):
    """What is found in each of many small violations, without the whole reports."""
    found = []
    for each in MUTANTS[::4]:
        schema = SHAPES[each.shapes[0]]()
        result = result_to_json(run_suite(subject_of(mutated(each, schema), schema)))
        found.append({"mutant": each.name, "findings": [_short(finding) for finding in result["findings"]]})
    golden("contract/runs/mutants.txt", plain(json.dumps(found, indent=1, ensure_ascii=False)) + "\n")


def _short(finding):
    return {name: value for name, value in finding.items() if name not in {"exchanges", "log", "logs"}}
