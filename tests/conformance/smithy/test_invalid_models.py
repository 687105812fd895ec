"""Models that the reference refuses are refused, at the same place and in the same words."""

import re

import pytest

from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.validate import validate
from support.corpus import needs_fixtures
from support.smithy import assert_same_ast, case_id, smithy_cases, with_place

pytestmark = needs_fixtures
FOLDER = "model-loader-invalid"
# Numbers that the expected file itself holds only as doubles.
INEXACT = {"neg-zero"}
SYNTAX = re.compile(r"Syntax error at line (\d+), column (\d+)")


def folded(text):
    """As the reference compares: line ends as two characters, without the mark for the end of a file."""
    return text.replace("\r\n", "\\n").replace("\r", "\\n").replace("\n", "\\n").replace("[EOF]", "")


def events_of(case):
    loaded = case.load()
    return validate(loaded.model, after=loaded.events)


INVALID = smithy_cases(FOLDER, "invalid-idl", "invalid-ast")
# The shares that are promised of the invalid models: all refused, so many at the same place, in the same words.
PLACES, WORDS = 0.97, 0.95


def said(case):
    return folded("\n".join(str(event) for event in events_of(case) if event.breaks_model))


@pytest.mark.parametrize("case", INVALID, ids=case_id)
def test_an_invalid_model_is_refused(case):
    assert said(case)


def test_invalid_models_are_refused_at_the_same_place():
    placed = [case for case in INVALID if case.row.get("syntaxError")]
    wrong = [
        case.id
        for case in placed
        if tuple(str(case.row["syntaxError"][each]) for each in ("line", "column")) not in SYNTAX.findall(said(case))
    ]
    assert len(wrong) <= (1 - PLACES) * len(placed), wrong


def test_invalid_models_are_refused_in_the_same_words():
    wrong = [case.id for case in INVALID if folded(case.row["expectedErrorContains"]) not in said(case)]
    assert len(wrong) <= (1 - WORDS) * len(INVALID), wrong


def loading_events(texts):
    return sorted(text for text in texts if "| Model" in text or "| SyntacticShapeIdTarget" in text)


PROBES = [*smithy_cases("oracle-idl-probes"), *smithy_cases("oracle-ast-probes")]


def probe_id(case):
    return f"{case.folder.name}/{case.id}"


@pytest.mark.parametrize("case", PROBES, ids=probe_id)
def test_models_of_one_feature(case):
    loaded = case.load()
    events = validate(loaded.model, after=loaded.events)
    assert any(event.breaks_model for event in events) == case.row["broken"]
    if "expectedAst" in case.row and case.id not in INEXACT:
        assert_same_ast(ast_of(loaded.model), case.json(case.row["expectedAst"]))


def test_models_of_one_feature_are_told_the_same():
    # What another JSON parser says about broken JSON, and places one step up, is said in other words.
    wrong = [
        probe_id(case)
        for case in PROBES
        if loading_events(map(with_place, events_of(case))) != loading_events(case.row["events"])
    ]
    assert len(wrong) <= (1 - WORDS) * len(PROBES) + 1, wrong
