"""What AWS answered, replayed: a sample each time, all of it in `make conformance`, where the table is kept."""

import json
from pathlib import Path

import pytest

from support.corpus import needs_fixtures
from support.recordings.comparison import Comparison, Verdict, leaves
from support.recordings.tally import (
    NOT_YET,
    all_cases,
    compare_case,
    excluded,
    exclusions,
    explain,
    render,
    runs_functions,
    scenario_cases,
    tally_case,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "fidelity" / "tally.json"
PROMISED = 0.8  # the share of the applicable members that are to be equal
SAMPLE = [each for each in scenario_cases() if not runs_functions(*each)][::3]


def told(recording, case):
    return json.loads(GOLDEN.read_text(encoding="utf-8"))[recording][case]


@needs_fixtures
@pytest.mark.parametrize(("recording", "case"), SAMPLE, ids=lambda each: each)
def test_no_less_than_the_table_tells(recording, case):
    """Ratchet: whoever mends more lets the slow test write a new table."""
    members = list(compare_case(recording, case))
    counted = [each for each in members if each.verdict is not Verdict.EXTRA]
    equal = sum(each.verdict is Verdict.EQUAL for each in counted)
    unexplained = [
        (each.place, each.theirs, each.ours)
        for each in counted
        if each.verdict is not Verdict.EQUAL and explain(recording, case, each)[0] == NOT_YET
    ]
    assert equal >= told(recording, case)["equal"], unexplained


@needs_fixtures
def test_every_recorded_case_is_replayed_or_excluded_for_a_reason():
    replayed = set(scenario_cases())
    recorded = all_cases()
    assert replayed <= set(recorded)
    codes = set(exclusions()["codes"])
    for each in recorded:
        code = excluded(*each)
        assert not (isinstance(code, str) and each in replayed), each
        assert set([code] if isinstance(code, str) else (code or {}).values()) <= codes, each
    for recording, cases in exclusions()["cases"].items():
        assert {(recording, case) for case in cases if case != "*"} <= set(recorded)


@pytest.mark.slow
@needs_fixtures
def test_the_table_is_current(golden):
    golden("fidelity/tally.json", render({each: tally_case(*each) for each in all_cases()}))


def test_the_comparison_sees_differences():
    comparison = Comparison()
    assert comparison.alike("arn:<partition>:sns:<region>:1:<resource:1>", "arn:aws:sns:eu-west-1:1:a")
    assert comparison.alike("<resource:1>", "a")
    assert not comparison.alike("<resource:1>", "b")  # it stood for another text before
    assert comparison.alike("datetime", "2026-01-01")
    assert not comparison.alike("datetime", None)
    assert comparison.alike("x-gE4nEU6CQEj9", "x-hBO8OKuLqx0K")
    assert not comparison.alike("x-gE4nEU6CQEj9", "y-hBO8OKuLqx0K")
    assert not comparison.alike(1, True)
    verdicts = {each.path: each.verdict for each in comparison.compare({"a": [1, 2], "b": {}}, {"a": [1], "c": 3})}
    assert verdicts == {
        ("a", "0"): Verdict.EQUAL,
        ("a", "1"): Verdict.MISSING,
        ("b",): Verdict.MISSING,
        ("c",): Verdict.EXTRA,
    }
    assert next(iter(comparison.compare({"a": {"b": 1}}, {"a": '{"b": 1}'}))).verdict is Verdict.EQUAL
    assert dict(leaves({"a": [{"b": 1}], "c": {}})) == {("a", "0", "b"): 1, ("c",): {}}


def test_the_promise_is_kept_in_the_table():
    cases = [case for each in json.loads(GOLDEN.read_text(encoding="utf-8")).values() for case in each.values()]
    equal = sum(each["equal"] for each in cases)
    different = sum(sum(each["different"].values()) for each in cases)
    assert equal >= PROMISED * (equal + different)
