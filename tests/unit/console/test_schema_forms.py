"""Forms from schemas: fields, what was entered as a model, faults at their fields, patches."""

import json

import pytest

from formwork.console.views.form_model import EnteredModel, patch_of
from formwork.console.views.schema_form import SchemaForm
from formwork.documents import Document
from formwork.schema import load_resource_schema

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "definitions": {
        "Node": {
            "type": "object",
            "properties": {"Next": {"$ref": "#/definitions/Node"}},
            "additionalProperties": False,
        }
    },
    "properties": {
        "Size": {"type": "integer", "minimum": 1},
        "Name": {"type": "string"},
        "Open": {"type": "boolean"},
        "Label": {"type": "string", "enum": ["red", "1"]},
        "Level": {"type": "integer", "enum": [1, 2]},
        "Either": {"type": ["string", "integer"]},
        "Map": {"type": "object", "patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False},
        "Node": {"$ref": "#/definitions/Node"},
        "Place": {
            "type": "object",
            "properties": {"Row": {"type": "integer"}, "Arn": {"type": "string"}, "Key": {"type": "string"}},
            "additionalProperties": False,
        },
        "Names": {"type": "array", "items": {"type": "string"}},
        "Tags": {
            "type": "array",
            "items": {"type": "object", "properties": {"Key": {"type": "string"}}, "required": ["Key"]},
        },
        "Secret": {"type": "string"},
        "Arn": {"type": "string"},
    },
    "required": ["Name"],
    "readOnlyProperties": ["/properties/Arn", "/properties/Place/Arn"],
    "writeOnlyProperties": ["/properties/Secret", "/properties/Place/Key"],
    "createOnlyProperties": ["/properties/Name"],
    "primaryIdentifier": ["/properties/Arn"],
    "additionalProperties": False,
    "handlers": {"create": {"permissions": []}},
}


@pytest.fixture(scope="module")
def schema():
    found = load_resource_schema(Document.of_value(SCHEMA, "schema")).schema
    assert found is not None
    return found


def entered(schema, **fields):
    return EnteredModel(schema, {name.replace("__", "/"): [value] for name, value in fields.items()})


def fields_of(schema, model=None, *, updating=False):
    return {each.pointer: each for each in SchemaForm(schema, model or {}, updating=updating).walk()}


def test_every_property_that_users_set_has_a_field_of_its_kind(schema):
    kinds = {pointer: each.kind for pointer, each in fields_of(schema).items()}
    assert kinds == {
        "/Name": "text",
        "/Size": "number",
        "/Open": "choice",
        "/Label": "choice",
        "/Level": "choice",
        "/Either": "json",
        "/Map": "json",
        "/Node": "object",
        "/Node/Next": "json",
        "/Place": "object",
        "/Place/Row": "number",
        "/Place/Key": "secret",
        "/Names": "list",
        "/Tags": "list",
        "/Secret": "secret",
    }
    assert next(iter(fields_of(schema))) == "/Name"  # what is required comes first


def test_fields_show_a_model_but_no_secret(schema):
    model = {"Name": "n", "Size": 3, "Secret": "s", "Tags": [{"Key": "k"}], "Names": ["x"], "Place": {"Key": "s"}}
    found = fields_of(schema, model, updating=True)
    assert {pointer: each.value for pointer, each in found.items() if each.value} == {
        "/Name": "n",
        "/Size": "3",
        "/Tags/0/Key": "k",
        "/Names/0": "x",
    }
    assert [pointer for pointer, each in found.items() if each.fixed] == ["/Name"]
    assert len({each.key for each in found.values()}) == len(found)


def test_values_have_the_types_of_the_schema(schema):
    form = {
        "f:/Size": ["3"],
        "f:/Name": ["3"],
        "f:/Open": ["true"],
        "f:/Label": ["1"],
        "f:/Level": ["2"],
        "f:/Either": ['"text"'],
        "f:/Map": ['{"a": "b"}'],
        "f:/Place/Row": [""],
        "f:/Names/10": ["last"],
        "f:/Names/2": ["first"],
        "present": ["/Tags/0"],
        "f:/Nothing/0": [""],
    }
    found = EnteredModel(schema, form)
    assert found.model == {
        "Size": 3,
        "Name": "3",
        "Open": True,
        "Label": "1",
        "Level": 2,
        "Either": "text",
        "Map": {"a": "b"},
        "Names": ["first", "last"],
        "Tags": [{}],
    }
    assert found.faults == {}


def test_faults_are_at_their_fields_or_above(schema):
    found = EnteredModel(
        schema, {"f:/Size": ["0"], "f:/Level": ["9"], "f:/Map": ["{"], "present": ["/Tags/0"], "f:/Either": ["a"]}
    )
    found.check()
    placed, others = found.by_field(SchemaForm(schema, found.model, updating=False))
    assert set(placed) == {"/Name", "/Size", "/Level", "/Map", "/Tags/0/Key"}
    assert "not JSON" in placed["/Map"]
    assert others == []
    as_json = EnteredModel(schema, {"json": ['{"Name": "a", "Other": 1}']})
    as_json.check()
    assert [pointer for pointer, _ in as_json.by_field(SchemaForm(schema, as_json.model, updating=False))[1]] == [
        "/Other"
    ]


@pytest.mark.parametrize("text", ["{", "[]", "1", "", '{"a":' * 2000])
def test_a_model_that_is_not_a_json_object_is_a_fault(schema, text):
    found = EnteredModel(schema, {"json": [text]})
    assert list(found.faults) == [""]
    assert found.model == {}


@pytest.mark.parametrize("pointer", ["", "x", "/~2", "/Names/x", "/Names/99999", "/Names/-1", "/Tags/0/Key/deeper"])
def test_odd_names_of_fields_are_no_errors(schema, pointer):
    found = EnteredModel(schema, {f"f:{pointer}": ["v"], "present": [pointer]})
    found.check()
    json.dumps(found.model)


def test_write_only_values_are_not_missed_in_an_update(schema):
    found = EnteredModel(schema, {"f:/Name": ["n"]})
    found.check(kept={"Name": "n", "Arn": "a"})
    assert found.faults == {}


def test_a_patch_keeps_what_a_form_cannot_show(schema):
    before = {"Name": "n", "Arn": "arn", "Size": 1, "Place": {"Row": 1, "Arn": "inner"}, "Names": ["a"]}
    after = {"Name": "n", "Size": 2, "Place": {"Row": 2}, "Secret": "s"}
    assert patch_of(schema, before, after) == [
        {"op": "replace", "path": "/Size", "value": 2},
        {"op": "replace", "path": "/Place", "value": {"Row": 2, "Arn": "inner"}},
        {"op": "add", "path": "/Secret", "value": "s"},
        {"op": "remove", "path": "/Names"},
    ]
    assert patch_of(schema, before, before) == []
