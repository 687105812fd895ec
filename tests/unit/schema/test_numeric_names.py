"""Members whose names read as numbers, which jsonschema-rs takes for indexes: judged as any other member."""

import json

import jsonschema_rs
import pytest

from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import validate_schema
from formwork.schema.instance_paths import instance_path
from support.faults import RESOURCE

NAMES = ["0", "00", "+1", "12", "-1", "1 ", "9" * 5000]


@pytest.mark.parametrize("name", NAMES)
def test_the_path_names_the_member(name):
    node = {"items": {"additionalProperties": {"type": "string"}}, "additionalProperties": {"$ref": "#/items"}}
    instance = {name: {"a": "b", name: 1}}
    errors = jsonschema_rs.Draft7Validator(node).iter_errors(instance)
    assert [instance_path(each, instance) for each in errors] == [(name, name)]
    (error,) = jsonschema_rs.Draft7Validator(node["items"] | {"items": node["items"]}).iter_errors([{name: 1}])
    assert instance_path(error, [{name: 1}]) == (0, name)


@pytest.mark.parametrize("name", ["0", "00", "12"])
@pytest.mark.parametrize("holder", ["properties", "definitions"])
def test_a_faulty_member_of_a_schema_is_told_with_its_place_and_value(holder, name):
    value = {**RESOURCE, holder: {**RESOURCE[holder], name: 7}}
    found = validate_schema(parse_document(json.dumps(value), name="a.json"), kind=ExtensionKind.RESOURCE)
    (told,) = [each for each in found if each.code == "schema.wrong-type"]
    assert told.location.pointer == f"/{holder}/{name}"
    assert told.message == "7 has the wrong type"
