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
    return [*loaded.events, *validate(loaded.model, after=loaded.events)]


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "invalid-idl", "invalid-ast"), ids=case_id)
def test_invalid_model_is_refused_in_the_same_words(case):
    broken = [event for event in events_of(case) if event.breaks_model]
    assert broken
    said = folded("\n".join(map(str, broken)))
    assert folded(case.row["expectedErrorContains"]) in said
    place = case.row.get("syntaxError")
    if place:
        assert (str(place["line"]), str(place["column"])) in SYNTAX.findall(said)


def loading_events(texts):
    return sorted(text for text in texts if "| Model" in text or "| SyntacticShapeIdTarget" in text)


@pytest.mark.parametrize("case", smithy_cases("oracle-idl-probes"), ids=case_id)
def test_one_feature_idl_files(case):
    loaded = case.load()
    events = [*loaded.events, *validate(loaded.model, after=loaded.events)]
    assert loading_events(map(with_place, events)) == loading_events(case.row["events"])
    if "expectedAst" in case.row and case.id not in INEXACT:
        assert_same_ast(ast_of(loaded.model), case.json(case.row["expectedAst"]))


# What another JSON parser says about broken JSON, and places one step up: same verdict, other words.
OTHER_WORDS = {"nan", "relative-target", "relative-trait", "version-int"}


@pytest.mark.parametrize("case", smithy_cases("oracle-ast-probes"), ids=case_id)
def test_one_feature_ast_files(case):
    loaded = case.load()
    events = [*loaded.events, *validate(loaded.model, after=loaded.events)]
    assert any(event.breaks_model for event in events) == case.row["broken"]
    if case.id not in OTHER_WORDS:
        assert loading_events(map(with_place, events)) == loading_events(case.row["events"])
    if "expectedAst" in case.row:
        assert_same_ast(ast_of(loaded.model), case.json(case.row["expectedAst"]))
