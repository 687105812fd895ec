"""Models that the reference accepts load to the model it loads."""

import pytest

from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.load import load_texts
from support.corpus import needs_fixtures
from support.smithy import (
    SMITHY,
    assert_same_ast,
    assert_same_model,
    breaking,
    case_id,
    read_json,
    read_text,
    smithy_cases,
)

pytestmark = needs_fixtures
FOLDER = "model-loader-valid"
# What other files they need is said in prose: the reference loads them on top of a model built in code.
NEEDS_OTHERS = ("forwardrefs/use", "forwardrefs/no-use")


def single_files():
    return [
        case
        for case in smithy_cases(FOLDER)
        if isinstance(case.row.get("oracleAst"), str) and len(case.inputs) == 1 and case.id not in NEEDS_OTHERS
    ]


@pytest.mark.parametrize("case", single_files(), ids=case_id)
def test_one_file_gives_the_ast_of_the_reference(case):
    loaded = case.load(allow_unknown_traits=True)
    assert_same_ast(ast_of(loaded.model), case.json(case.row["oracleAst"]))


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "idl-equals-ast"), ids=case_id)
def test_idl_and_ast_give_one_model(case):
    shared = case.row.get("alsoLoad", [])
    names = [*case.inputs, *shared]
    loaded = load_with_widget(case, names) if case.id in NEEDS_OTHERS else case.load(names)
    expected = case.load([*case.row["expected"], *shared])
    assert breaking(loaded.events) == breaking(expected.events) == []
    assert_same_model(loaded, expected)


def load_with_widget(case, names):
    widget = '$version: "2.0"\nnamespace foo.example\nstructure Widget {\n    id: String\n}\n'
    return load_texts([("widget.smithy", widget), *((name, read_text(case.path(name))) for name in names)])


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "upgrade-equals"), ids=case_id)
def test_version_1_means_the_same_as_its_upgrade(case):
    assert_same_model(case.load(), case.load(case.row["expected"]))


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "ast-roundtrip"), ids=case_id)
def test_ast_is_written_as_it_was_read(case):
    assert_same_ast(ast_of(case.load().model), case.json(case.row["expected"][0]))


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "parse-same-model", "parse-clean"), ids=case_id)
def test_formatted_text_means_the_same(case):
    loaded, formatted = (case.load(names, allow_unknown_traits=True) for names in (case.inputs, case.row["expected"]))
    syntax = [event for event in (*loaded.events, *formatted.events) if "Syntax error" in event.message]
    assert syntax == []
    if case.row["kind"] == "parse-same-model":
        assert_same_model(loaded, formatted)


@pytest.mark.slow
def test_large_idl_corpus():
    folder = SMITHY / "idl-corpus"
    manifest = read_json(folder / "manifest.json")
    traits = [(path.name, read_text(path)) for path in sorted((SMITHY / "trait-models").glob("*.smithy"))]
    texts = [(name, read_text(folder / name)) for name in manifest["inputs"]]
    loaded = load_texts([*traits[:-2], *texts], allow_unknown_traits=True)
    actual, expected = ast_of(loaded.model), read_json(folder / manifest["expectedAst"])
    actual["shapes"] = {key: value for key, value in actual["shapes"].items() if key in expected["shapes"]}
    assert_same_ast({**actual, "metadata": {}}, {**expected, "metadata": {}})
