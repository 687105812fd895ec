"""Resource schemas and JSON Schema are what the reference makes of the same models and settings."""

import pytest

from formwork.convert.converter import convert, file_name
from formwork.convert.json_schema.document import json_schema_of
from formwork.convert.json_schema.schemas import SchemaWriter
from formwork.convert.options import read_cfn_options, read_json_schema_options
from formwork.convert.traits import cfn_library
from formwork.diagnostics import BadInputError, get_at, parse_pointer
from support.corpus import needs_fixtures
from support.smithy import assert_same, case_id, load_names, read_json, smithy_cases

pytestmark = needs_fixtures


def converted(folder, names, config):
    names = [
        inner
        for name in names
        for inner in (
            [f"{name}/{path.name}" for path in sorted((folder / name).iterdir())]
            if (folder / name).is_dir()
            else [name]
        )
    ]
    loaded = load_names(folder, names, base=cfn_library(), allow_unknown_traits=True)
    return convert(loaded.model, read_cfn_options(config))


def from_both_forms(cases):
    """Each case from its IDL and from its AST twin."""
    return [
        pytest.param(case, names, id=f"{case.id}-{form}")
        for case in cases
        for form, names in (("idl", case.inputs), ("ast", [case.row["oracleAst"]] if "oracleAst" in case.row else None))
        if names
    ]


@pytest.mark.parametrize(("case", "names"), from_both_forms(smithy_cases("cloudformation", "convert")))
def test_resource_schemas(case, names):
    schemas = converted(case.folder, names, case.row["config"])
    if "expectedTypeNames" in case.row:
        assert sorted(schemas) == sorted(case.row["expectedTypeNames"])
    for type_name, expected in (case.row.get("expected") or {}).items():
        assert_same(schemas[type_name], case.json(expected))


@pytest.mark.parametrize(("case", "names"), from_both_forms(smithy_cases("cloudformation", "assert")))
def test_facts_about_one_resource(case, names):
    schema = converted(case.folder, names, case.row["config"])[case.row["resource"]]
    missing = object()
    for fact in case.row["assertions"]:
        found = get_at(schema, parse_pointer(fact["pointer"]), missing)
        if fact.get("absent"):
            assert found is missing
        elif "keysEqual" in fact:
            assert sorted(found) == sorted(fact["keysEqual"])
        elif "setEquals" in fact:
            assert sorted(found) == sorted(fact["setEquals"])
        else:
            assert_same(found, fact["equals"])


@pytest.mark.parametrize("case", smithy_cases("cloudformation", "error"), ids=case_id)
def test_unusable_settings(case):
    with pytest.raises(BadInputError) as error:
        converted(case.folder, case.inputs, case.row["config"])
    if case.row["phase"] == "convert":
        assert case.row["errorContains"] in str(error.value)


@pytest.mark.parametrize("case", smithy_cases("cloudformation", "plugin-files"), ids=case_id)
def test_names_of_files(case):
    schemas = converted(case.folder, case.inputs, case.row["config"])
    assert sorted(map(file_name, schemas)) == sorted(case.row["expectedFiles"])


def probe_runs():
    return [
        pytest.param(case, run, id=f"{case.id}-{number}")
        for case in smithy_cases("oracle-cfn-probes")
        for number, run in enumerate(case.row["runs"])
    ]


@pytest.mark.parametrize(("case", "run"), probe_runs())
def test_one_feature_models(case, run):
    if "expectedError" in run:
        with pytest.raises(BadInputError):
            converted(case.folder, case.inputs, run["config"])
        return
    schemas = converted(case.folder, case.inputs, run["config"])
    expected = case.json(run["expected"])
    if case.id == "p27-intenum-dup-name":
        # Which of two intEnums of one name wins is an accident of the reference's hash order.
        assert schemas.keys() == expected.keys()
        return
    assert_same(schemas, expected)


@pytest.mark.parametrize("case", smithy_cases("real-world"), ids=case_id)
def test_models_of_real_services(case):
    schemas = converted(case.folder, case.inputs, case.row["config"])
    assert_same(schemas, {name: case.json(path) for name, path in case.row["expected"].items()})


@pytest.mark.parametrize("case", smithy_cases("jsonschema"), ids=case_id)
def test_json_schema(case):
    model = case.load(allow_unknown_traits=True).model
    options = read_json_schema_options(case.row["config"])
    if case.row["kind"] == "convertShape":
        schema = SchemaWriter(model, options).schema(model.expect(case.row["shape"]))
    else:
        schema = json_schema_of(model, options, root=case.row.get("rootShape"))
    assert_same(schema, read_json(case.path(case.row["expected"])))
