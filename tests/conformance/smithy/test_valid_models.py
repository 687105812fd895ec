"""Models that the reference accepts load to the model it loads."""

import json

import pytest

from formwork.convert.traits import cfn_library
from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.formatter import format_idl
from formwork.smithy.idl.printing import print_idl
from formwork.smithy.load import load_texts
from formwork.smithy.nullability import is_boxed, is_nullable, is_nullable_in_v1
from formwork.smithy.selectors import select
from formwork.smithy.transforms.mixins import flatten
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
def test_formatted_text(case):
    text, expected = (read_text(case.path(name)) for name in (case.inputs[0], case.row["expected"][0]))
    formatted = format_idl(text)
    assert formatted == expected
    assert format_idl(formatted) == formatted
    if case.row["kind"] == "parse-same-model":
        before, after = (load_texts([("m.smithy", each)], allow_unknown_traits=True) for each in (text, formatted))
        assert_same_model(after, before)


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


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "idl-roundtrip"), ids=case_id)
def test_idl_is_printed_as_it_was_read(case):
    printed = print_idl(case.load().model)
    assert "".join(printed.values()) == read_text(case.path(case.row["expected"][0]))


def printable():
    folders = (FOLDER, "oracle-idl-probes", "oracle-cfn-probes", "cloudformation", "real-world")
    return [
        pytest.param(case, names, id=f"{case.folder.name}/{case.id}")
        for folder in folders
        for case in smithy_cases(folder)
        if (names := [name for name in case.inputs if (case.path(name)).is_file() and ".cfn." not in name])
    ]


@pytest.mark.parametrize(("case", "names"), printable())
def test_printing_and_formatting_lose_nothing(case, names):
    first = case.load(names, base=cfn_library(), allow_unknown_traits=True)
    if any(event.severity == "ERROR" for event in first.events):
        pytest.skip("the model has errors: there is nothing to come back to")
    printed = print_idl(first.model, exclude=frozenset(shape.namespace for shape in cfn_library().shapes.values()))
    for texts in (printed, {name: format_idl(text) for name, text in printed.items()}):
        again = load_texts(texts.items(), base=cfn_library(), allow_unknown_traits=True)
        assert_same_model(again, first)


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "selector-cases"), ids=case_id)
def test_selectors(case):
    model = case.load().model
    for row in model.metadata["selectorTests"]:
        found = set(select(model, row["selector"]))
        if row.get("skipPreludeShapes"):
            found = {each for each in found if not each.startswith("smithy.api#")}
        assert found == set(row["matches"]), row["selector"]


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "flatten-mixins"), ids=case_id)
def test_flattened_mixins(case):
    flat = flatten(case.load().model, {})
    expected = case.load(case.row["expected"]).model
    assert_same_ast(ast_of(flat), ast_of(expected))


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "source-locations"), ids=case_id)
def test_places_of_traits(case):
    shape = case.load().model.shapes["com.example#TraitBearer"]
    assert {place.position.column for place in shape.trait_places.values()} == {1}
    columns = {place.position.column for each in shape.members.values() for place in each.trait_places.values()}
    assert columns == {5}


@pytest.mark.parametrize("case", smithy_cases(FOLDER, "nullability"), ids=case_id)
def test_members_are_nullable_as_in_the_version_of_their_file(case):
    loaded = case.load()
    for model in (loaded.model, twice_through_the_ast(loaded.model)):
        # One row of the manifest names a member that its file doesn't have: every file has only one.
        (member,) = model.shapes["smithy.example#Foo"].members.values()
        expected = case.row["expected"]
        assert is_nullable(model, member) == expected["v2"]
        assert is_boxed(model, member) == expected["v1-box"]
        assert is_nullable_in_v1(member) == expected["v1-client-zero-value"]


def twice_through_the_ast(model):
    for _ in range(2):
        model = load_texts([("model.json", json.dumps(ast_of(model)))]).model
    return model
