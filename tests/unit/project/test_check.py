"""Checking a folder or a file: everything at once."""

import json
from pathlib import Path

import pytest

from formwork.diagnostics import BadInputError
from formwork.diagnostics.render import render_text
from formwork.project import load_project
from formwork.project.check import check_path
from formwork.project.schema_file import expect_project_schema

SCHEMA = {
    "typeName": "Aa::Bb::Cc",
    "description": "d",
    "properties": {"Id": {"type": "string"}},
    "primaryIdentifier": ["/properties/Id"],
    "readOnlyProperties": ["/properties/Id"],
    "additionalProperties": False,
    "tagging": {"taggable": False},
}
CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Aa::Bb::Cc",
    "language": "python311",
    "runtime": "python3.11",
    "entrypoint": "a",
    "testEntrypoint": "b",
    "settings": {"protocolVersion": "2.0.0"},
}


@pytest.fixture
def write(tmp_path):
    def put(**files):
        for name, value in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(value if isinstance(value, str) else json.dumps(value))
        return tmp_path

    return put


def codes(checked):
    """The codes that are not the schema's rules: those have tests of their own."""
    return sorted(each.code for each in checked.diagnostics if not each.code.startswith("schema."))


def test_a_project_without_problems(write):
    checked = check_path(write(**{".rpdk-config": CONFIG, "aa-bb-cc.json": SCHEMA}))
    assert (checked.kind, checked.type_name, codes(checked), checked.valid) == ("RESOURCE", "Aa::Bb::Cc", [], True)


def test_everything_at_once(write):
    files = {".rpdk-config": CONFIG | {"runtime": "python3.7"}, "aa-bb-cc.json": "{", "overrides.json": "["}
    checked = check_path(write(**files, inputs__inputs_1_create=1, **{"inputs/inputs_1_update.json": "}"}))
    assert codes(checked) == ["document.syntax"] * 3 + ["project.config-outdated-runtime"]
    assert not checked.valid


def test_a_missing_schema_names_the_file(write):
    (diagnostic,) = check_path(write(**{".rpdk-config": CONFIG})).diagnostics
    assert diagnostic.code == "project.schema-missing"
    assert diagnostic.location.file.endswith("aa-bb-cc.json")


def test_the_schema_of_another_type(write):
    root = write(**{".rpdk-config": CONFIG, "aa-bb-cc.json": SCHEMA | {"typeName": "Xx::Yy::Zz"}})
    assert codes(check_path(root)) == ["project.other-type"]
    with pytest.raises(BadInputError, match="Xx::Yy::Zz"):
        expect_project_schema(load_project(root))


def test_a_schema_file_in_yaml(write):
    root = write(
        **{"schema.yaml": "typeName: Aa::Bb::Cc\n" + json.dumps(SCHEMA)[1:-1].replace('"typeName": "Aa::Bb::Cc",', "")}
    )
    assert not check_path(root / "schema.yaml").valid  # flow text in a block mapping: no YAML
    (root / "schema.yaml").write_text(json.dumps(SCHEMA))
    checked = check_path(root / "schema.yaml")
    assert (checked.valid, checked.type_name) == (True, "Aa::Bb::Cc")


def test_files_that_are_no_schema(write):
    root = write(**{"a.json": "[]", "b.json": ""})
    assert not check_path(root / "a.json").valid
    assert not check_path(root / "b.json").valid
    assert codes(check_path(root / "c.json")) == ["document.unreadable"]


def test_exports_that_have_no_value_are_no_fault(write):
    files = {".rpdk-config": CONFIG, "aa-bb-cc.json": SCHEMA, "inputs/inputs_1_create.json": '{"Id": "{{Vpc}}"}'}
    assert codes(check_path(write(**files))) == []


def test_inputs_against_the_schema(write):
    properties = {"Id": {"type": "string"}, "Name": {"type": "string", "maxLength": 3}, "Secret": {"type": "integer"}}
    schema = SCHEMA | {"properties": properties, "writeOnlyProperties": ["/properties/Secret"]}
    files = {
        "inputs/inputs_1_create.json": '{\n "Name": "too long",\n "Secret": "canary",\n "Extra": 1}',
        "inputs/inputs_1_invalid.json": {"Name": 5},
        "inputs/inputs_1_update.json": '{"Name": "{{Exported}}"}',
    }
    root = write(**{".rpdk-config": CONFIG, "aa-bb-cc.json": schema}, **files)
    checked = check_path(root)
    assert checked.valid
    found = {each.location.pointer: each for each in checked.diagnostics if each.code.startswith("model.")}
    assert found.keys() == {"/Name", "/Secret", "/Extra"}
    assert found["/Name"].location.start.line == 2
    assert found["/Secret"].location.start.line == 3
    assert found["/Secret"].location.confidential  # the renderer shows no such line
    text = render_text(checked.diagnostics, source=lambda file: Path(file).read_text())
    assert "too long" in text
    assert "canary" not in text


def test_overrides_against_the_schema(write):
    schema = SCHEMA | {
        "properties": {name: {"type": "string"} for name in ("Id", "Name", "Size")}
        | {"Tags": {"type": "array", "items": {"type": "object", "properties": {"Key": {"type": "string"}}}}},
        "createOnlyProperties": ["/properties/Name"],
    }
    overrides = {
        "CREATE": {"/Name": "n", "/Tags/0/Key": "k", "/Tags/0/Colour": "red", "/Id": "i", "/Sise": 1},
        "UPDATE": {"/Name": "m", "/Size": "s"},
    }
    checked = check_path(write(**{".rpdk-config": CONFIG, "aa-bb-cc.json": schema, "overrides.json": overrides}))
    assert checked.valid
    found = [(each.code, each.location.pointer) for each in checked.diagnostics if each.code.startswith("project.")]
    assert found == [
        ("project.overrides-no-property", "/CREATE/~1Tags~10~1Colour"),
        ("project.overrides-read-only", "/CREATE/~1Id"),
        ("project.overrides-no-property", "/CREATE/~1Sise"),
        ("project.overrides-create-only", "/UPDATE/~1Name"),
    ]


def test_modules(write):
    config = {"artifact_type": "MODULE", "typeName": "Aa::Bb::Cc::MODULE", "settings": {}}
    root = write(**{".rpdk-config": config})
    assert codes(check_path(root)) == ["project.fragment-count"]
    write(**{"fragments__a.json": "{}"})
    assert codes(check_path(root)) == ["template.no-resources"]
    write(**{"fragments__a.json": {"Resources": {"A": {"Type": "AWS::SNS::Topic"}}}})
    assert check_path(root).valid
    write(**{"fragments__b.YAML": "Resources: {A: !Ref B}"})
    assert codes(check_path(root)) == ["project.fragment-count"]
