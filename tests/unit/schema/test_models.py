"""Models against their resource type."""

import json

import pytest

from formwork.diagnostics import Position
from formwork.documents import parse_document
from formwork.schema.resource import build_resource_schema

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "properties": {
        "Name": {"type": "string", "pattern": r"^\p{Alpha}[\w-]{0,9}+$", "maxLength": 10},
        "Size": {"type": "integer", "minimum": 1, "default": 3},
        "Mode": {"type": "string", "enum": ["on", "off"]},
        "Secret": {"type": "string", "maxLength": 5, "enum": ["a", "b"]},
        "Id": {"type": "string"},
        "Region": {"type": "string"},
        "Tags": {
            "type": "array",
            "items": {"$ref": "#/definitions/Tag"},
            "uniqueItems": True,
            "maxItems": 2,
        },
        "Labels": {
            "type": "object",
            "patternProperties": {r"^\p{L}+$": {"type": "string"}},
            "additionalProperties": False,
        },
        "Odd": {"type": "object", "patternProperties": {"^(a)\\1$": {"type": "string"}}, "additionalProperties": False},
        "Either": {
            "oneOf": [
                {"type": "object", "required": ["Left"], "properties": {"Left": {"type": "string"}}},
                {"type": "object", "required": ["Right"], "properties": {"Right": {"type": "integer"}}},
            ]
        },
        "Slow": {"type": "string", "pattern": "^(x|xx)+$"},
        "Outer": {"$ref": "resource-schema.json#/definitions/Outer"},
    },
    "definitions": {
        "Tag": {
            "type": "object",
            "properties": {"Key": {"type": "string"}, "Value": {"type": "string", "default": "none"}},
            "required": ["Key"],
            "additionalProperties": False,
        },
        "Outer": {
            "type": "object",
            "properties": {"Token": {"type": "string"}, "Inner": {"$ref": "#/definitions/Outer"}},
            "additionalProperties": False,
        },
    },
    "required": ["Name", "Id"],
    "primaryIdentifier": ["/properties/Id", "/properties/Region"],
    "readOnlyProperties": ["/properties/Id"],
    "writeOnlyProperties": ["/properties/Secret", "/properties/Outer/Token"],
    "createOnlyProperties": ["/properties/Tags/*/Key"],
    "additionalProperties": False,
}
THING = build_resource_schema(parse_document(json.dumps(SCHEMA), name="thing.json"))
GOOD = {"Name": "a-b", "Id": "1"}


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"Name": 1}, "model.wrong-type", "/Name"),
        ({"Name": "-a"}, "model.malformed", "/Name"),
        ({"Name": "abc é"}, "model.malformed", "/Name"),
        ({"Size": 0}, "model.out-of-bounds", "/Size"),
        ({"Size": 1.5}, "model.wrong-type", "/Size"),
        ({"Mode": "maybe"}, "model.not-allowed", "/Mode"),
        ({"Naem": 1}, "model.undeclared-property", "/Naem"),
        ({"Tags": [{"Value": "v"}]}, "model.missing-property", "/Tags/0"),
        ({"Tags": [{"Key": "v", "Vaule": 1}]}, "model.undeclared-property", "/Tags/0/Vaule"),
        ({"Tags": [{"Key": "v"}, {"Key": "v"}]}, "model.repeated-item", "/Tags"),
        ({"Labels": {"a1": "x"}}, "model.undeclared-property", "/Labels/a1"),
        ({"Labels": {"é": 1}}, "model.wrong-type", "/Labels/é"),
        ({"Odd": {"ab": "x"}}, "model.undeclared-property", "/Odd/ab"),
        ({"Either": {}}, "model.missing-property", "/Either"),
        ({"Either": {"Left": "a", "Right": 1}}, "model.several-alternatives", "/Either"),
        ({"Either": {"Right": "a"}}, "model.wrong-type", "/Either/Right"),
        ({"Slow": "x" * 60 + "y"}, "model.too-slow", "/Slow"),
        ({"Outer": {"Inner": {"Inner": {"Token": 1}}}}, "model.wrong-type", "/Outer/Inner/Inner/Token"),
        ({"Name": None}, "model.wrong-type", "/Name"),
    ],
)
def test_faults(change, code, pointer):
    found = THING.validate_model({**GOOD, **change})
    assert [(each.code, each.location.pointer) for each in found][:1] == [(code, pointer)]
    assert all(each.expected for each in found)


def test_good_models():
    assert THING.validate_model(GOOD) == []
    assert THING.validate_model({**GOOD, "Labels": {"é": "x"}, "Odd": {"aa": "x"}, "Either": {"Left": "a"}}) == []


def test_shape_only_judges_no_requirements_and_combiners():
    assert THING.validate_model({}, shape_only=True) == []
    assert THING.validate_model({"Tags": [{}], "Either": 5}, shape_only=True) == []
    found = THING.validate_model({"Tags": [{"Other": 1}], "Name": "-"}, shape_only=True)
    assert {each.location.pointer for each in found} == {"/Tags/0/Other", "/Name"}


def test_secrets_stay_out_of_messages():
    model = {**GOOD, "Secret": "hunter2-canary", "Outer": {"Token": 12345678, "x": "y"}}
    found = THING.validate_model(model)
    assert len(found) == 4
    assert not any("canary" in repr(each) or "12345678" in repr(each) for each in found)


def test_model_documents_have_places():
    document = parse_document('{"Name": "a",\n "Id": "x",\n "Size": "3"}', name="model.json")
    found = THING.validate_model_document(document)
    assert [(each.code, each.location.start) for each in found] == [
        ("model.read-only-property", Position(2, 2)),
        ("model.wrong-type", Position(3, 10)),
    ]


def test_mutability():
    assert THING.mutability_at(("Outer", "Token")).write_only
    assert THING.mutability_at(("Tags", "0", "Key")).create_only
    assert not THING.mutability_at(("Tags",)).create_only
    assert THING.mutability_at(("Id", "anything")).read_only
    assert THING.required_for_create == ("Name",)


def test_stripping_and_defaults():
    model = {"Name": "a", "Secret": "s", "Outer": {"Token": "t", "Inner": {}}, "Tags": [{"Key": "k"}], "Id": "i"}
    assert THING.without_write_only(model) == {
        "Name": "a",
        "Outer": {"Inner": {}},
        "Tags": [{"Key": "k"}],
        "Id": "i",
    }
    assert "Id" not in THING.without_read_only(model)
    assert THING.with_defaults({"Tags": [{"Key": "k"}, {"Key": "l", "Value": "v"}]}) == {
        "Tags": [{"Key": "k", "Value": "none"}, {"Key": "l", "Value": "v"}],
        "Size": 3,
    }


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("a|eu", {"Id": "a", "Region": "eu"}),
        ("a|b|c", {"Id": "a", "Region": "b|c"}),
        ('{"Id": "a", "Region": "eu"}', {"Id": "a", "Region": "eu"}),
        ("a", None),
        ("|eu", None),
        ('{"Id": "a"}', None),
        ("{nonsense", None),
    ],
)
def test_identifiers(text, model):
    assert THING.parse_identifier(text) == model
    if model is not None and not text.startswith("{"):
        assert THING.identifier_of(model) == text
    assert THING.identifier_of({"Id": "a"}) is None
