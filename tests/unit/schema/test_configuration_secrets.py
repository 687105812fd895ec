"""What of a type configuration is secret: the schema's marks first, names where it has none."""

import json

import pytest

from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import validate_schema
from formwork.schema.configuration_secrets import configuration_secrets
from support.faults import RESOURCE, seed_fault

TEXT, PASSWORD = {"type": "string"}, {"type": "string", "format": "password"}
VALUE = {"ApiKey": "the-key-of-the-api", "Phrase": "open sesame now", "AllowedKeys": "alpha-beta-gamma"}


def found(properties, value=None, schema=None, **configuration):
    whole = {"typeConfiguration": {"properties": properties, **configuration}, **(schema or {})}
    return configuration_secrets(whole).find(VALUE if value is None else value)


def test_names_decide_where_the_schema_marks_nothing():
    properties = {"ApiKey": TEXT, "Phrase": TEXT, "AllowedKeys": TEXT}
    assert found(properties) == {"the-key-of-the-api", "alpha-beta-gamma"}
    assert configuration_secrets(None).find(VALUE) == {"the-key-of-the-api", "alpha-beta-gamma"}


def test_a_schema_that_marks_a_property_decides_for_all():
    assert found({"ApiKey": TEXT, "Phrase": PASSWORD, "AllowedKeys": TEXT}) == {"open sesame now"}
    marked = {"type": "string", "writeOnly": True}
    assert found({"ApiKey": TEXT, "Phrase": marked, "AllowedKeys": TEXT}) == {"open sesame now"}


@pytest.mark.parametrize(
    ("schema", "configuration"),
    [
        ({}, {"writeOnlyProperties": ["/properties/Phrase"]}),
        ({"writeOnlyProperties": ["/typeConfiguration/properties/Phrase"], "properties": {}}, {}),
        ({"writeOnlyProperties": ["/properties/Phrase"]}, {}),  # a hook
    ],
)
def test_write_only_properties_are_marks(schema, configuration):
    properties = {"ApiKey": TEXT, "Phrase": TEXT, "AllowedKeys": TEXT}
    assert found(properties, schema=schema, **configuration) == {"open sesame now"}


def test_write_only_properties_of_a_resource_are_none_of_its_configuration():
    schema = {"properties": {"Phrase": TEXT}, "writeOnlyProperties": ["/properties/Phrase"]}
    assert found({"ApiKey": TEXT, "Phrase": TEXT}, schema=schema) == {"the-key-of-the-api", "alpha-beta-gamma"}


def test_marks_are_found_in_definitions_items_and_branches():
    properties = {
        "Service": {"$ref": "#/definitions/Service"},
        "Words": {"type": "array", "items": PASSWORD},
        "Either": {"type": "object", "anyOf": [{"properties": {"A": TEXT}}, {"properties": {"B": PASSWORD}}]},
    }
    definitions = {"Service": {"properties": {"Phrase": PASSWORD, "Deeper": {"$ref": "#/definitions/Service"}}}}
    value = {
        "Service": {"Phrase": "first phrase", "Deeper": {"Phrase": "second phrase", "Deeper": {}}},
        "Words": ["third phrase"],
        "Either": {"A": "no secret at all", "B": "fourth phrase"},
    }
    expected = {"first phrase", "second phrase", "third phrase", "fourth phrase"}
    assert found(properties, value, {"definitions": definitions}) == expected


def test_names_decide_for_what_a_schema_with_marks_does_not_declare():
    value = {"Phrase": "p", "Free": {"Password": "not-declared-1"}, "More": {"Name": "n"}}
    assert found({"Phrase": PASSWORD, "Free": {"type": "object"}}, value) == {"p", "not-declared-1"}


def test_values_that_the_schema_names_and_numbers_are_settings():
    properties = {
        "KeyAlgorithm": {"enum": ["RSASSA-PKCS1-V1_5-SHA-256"]},
        "TokenIssuer": {"type": "string", "default": "https://issuer.example"},
        "MaximumKeyAge": {"type": "integer"},
        "AuthRequired": {"type": "boolean"},
        "Passcode": {"type": "integer"},
    }
    value = {
        "KeyAlgorithm": "RSASSA-PKCS1-V1_5-SHA-256",
        "TokenIssuer": "https://issuer.example",
        "MaximumKeyAge": 864000000000,
        "AuthRequired": True,
        "Passcode": 471108,
    }
    assert found(properties, value) == {"471108"}, "a number under a certain name stays a secret"


@pytest.mark.parametrize(
    "schema",
    [7, {}, {"typeConfiguration": []}, {"typeConfiguration": {"properties": 7, "writeOnlyProperties": ["x", 7, ""]}}],
)
@pytest.mark.parametrize("value", [None, 7, "text", [VALUE], {"a": [{"Password": "hunter2"}]}])
def test_no_schema_and_no_value_is_too_odd(schema, value):
    assert configuration_secrets(schema).find(value) <= {"hunter2", *VALUE.values()}


@pytest.mark.parametrize("place", ["itself", "definition"])
def test_the_mark_that_validate_advises_is_all_that_it_asks_for(place):
    secret = {"type": "string", "description": "The key.", "format": "password"}
    key = secret if place == "itself" else {"$ref": "#/definitions/Key"}
    definitions = RESOURCE["definitions"] | ({} if place == "itself" else {"Key": secret})
    configuration = {"properties": {"Key": key}, "additionalProperties": False}
    whole = {**RESOURCE, "definitions": definitions, "typeConfiguration": configuration}
    document = parse_document(json.dumps(whole), name="x.json")
    assert validate_schema(document, kind=ExtensionKind.RESOURCE) == []
    assert configuration_secrets(whole).find({"Key": "open sesame"}) == {"open sesame"}


def test_outside_of_configurations_it_is_no_format():
    document = parse_document(json.dumps(seed_fault(RESOURCE, {"/properties/Name/format": "password"})), name="x.json")
    assert [each.code for each in validate_schema(document, kind=ExtensionKind.RESOURCE)] == ["schema.unknown-format"]
