"""What a schema forbids of properties, in each of the service's wordings."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.documents import parse_document
from formwork.instances import InstanceGenerator
from formwork.provisioning.property_faults import deployment_failure, find_faults
from formwork.schema import load_resource_schema
from formwork.template.evaluation import UNKNOWN

THING = {
    "typeName": "Acme::Web::Thing",
    "description": "A thing.",
    "additionalProperties": False,
    "definitions": {
        "Tag": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}},
            "required": ["Key"],
        }
    },
    "properties": {
        "Arn": {"type": "string"},
        "Title": {"type": "string", "minLength": 3, "maxLength": 5, "pattern": "^[a-z]+$"},
        "Count": {"type": "integer", "minimum": 2, "maximum": 8, "multipleOf": 2},
        "On": {"type": "boolean"},
        "Kind": {"type": "string", "enum": ["big", "small"]},
        "Only": {"type": "integer", "const": 1},
        "Secret": {"type": "string", "pattern": "^s"},
        "Tags": {
            "type": "array",
            "uniqueItems": True,
            "minItems": 1,
            "maxItems": 2,
            "items": {"$ref": "#/definitions/Tag"},
        },
        "Labels": {
            "type": "object",
            "patternProperties": {"^[a-z]$": {"type": "integer"}},
            "additionalProperties": False,
            "maxProperties": 2,
        },
        "Choice": {"oneOf": [{"type": "string", "maxLength": 2}, {"type": "string", "minLength": 2}]},
        "Either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "Rest": {"type": "object", "properties": {"Id": {"type": "string"}}, "additionalProperties": False},
    },
    "required": ["Title", "Arn"],
    "primaryIdentifier": ["/properties/Arn"],
    "readOnlyProperties": ["/properties/Arn", "/properties/Rest/Id"],
    "writeOnlyProperties": ["/properties/Secret"],
    "handlers": {"create": {"permissions": []}, "read": {"permissions": []}, "delete": {"permissions": []}},
}
SOUND = {"Title": "abc"}


def loaded(value):
    found = load_resource_schema(parse_document(json.dumps(value), name="thing.json"))
    assert found.schema is not None, found.diagnostics
    return found.schema


SCHEMA = loaded(THING)
REFERENCE = "{{resolve:ssm:/title}}"


@pytest.mark.parametrize(
    ("properties", "words", "early"),
    [
        ({}, "#: required key [Title] not found", "Required property [Title] not found"),
        ({"Titel": "x"}, "#: extraneous key [Titel] is not permitted", "Unsupported property [Titel]"),
        (
            {"Title": ["abc"]},
            "#/Title: expected type: String, found: JSONArray",
            "Property validation failure: [Value of property {/Title} does not match type {String}]",
        ),
        ({"Title": "ab"}, "#/Title: expected minLength: 3, actual: 2", None),
        ({"Title": "abcdef"}, "#/Title: expected maxLength: 5, actual: 6", None),
        ({"Title": "ABC"}, "#/Title: string [ABC] does not match pattern ^[a-z]+$", None),
        ({"Count": 0}, "#/Count: 0 is not greater or equal to 2", None),
        ({"Count": "10"}, "#/Count: 10 is not less or equal to 8", None),
        ({"Count": 5}, "#/Count: 5 is not a multiple of 2", None),
        (
            {"Count": "many"},
            "#/Count: expected type: Integer, found: String",
            "Property validation failure: [Value of property {/Count} does not match type {Integer}]",
        ),
        (
            {"Kind": "wide"},
            "#/Kind: wide is not a valid enum value",
            "wide is not a valid enum value. Supported values: [big, small]",
        ),
        (
            {"Only": 2},
            "#/Only: 2 is not a valid enum value",
            "2 is not a valid enum value. Supported values: [1]",
        ),
        ({"Secret": "hunter"}, "#/Secret: string [********] does not match pattern ^s", None),
        ({"Tags": []}, "#/Tags: expected minimum item count: 1, found: 0", None),
        ({"Tags": [{"Key": each} for each in "abc"]}, "#/Tags: expected maximum item count: 2, found: 3", None),
        ({"Tags": [{"Key": "a"}, {"Key": "a"}]}, "#/Tags: array items are not unique", None),
        ({"Tags": [{"Value": "a"}]}, "#/Tags/0: required key [Key] not found", "Required property [Key] not found"),
        ({"Labels": {"aa": 1}}, "#/Labels: extraneous key [aa] is not permitted", "Unsupported property [aa]"),
        ({"Labels": {"a": 1, "b": 1, "c": 1}}, "#/Labels: maximum size: [2], found: [3]", None),
        ({"Choice": "ab"}, "#/Choice: 2 subschemas matched instead of one", None),
        ({"Either": []}, "#/Either: no subschema matched out of the total 2 subschemas", None),
        ({"Arn": "x"}, "#: extraneous key [Arn] is not permitted", "Unsupported property [Arn]"),
        ({"Rest": {"Id": "x"}}, "#/Rest: extraneous key [Id] is not permitted", "Unsupported property [Id]"),
    ],
)
def test_every_constraint(properties, words, early):
    (fault,) = find_faults(SCHEMA, properties if not properties or "Title" in properties else {**SOUND, **properties})
    assert fault.pointed == words
    assert fault.early == (early or fault.words)


@pytest.mark.parametrize(
    "properties",
    [
        SOUND,
        {**SOUND, "Count": "4", "On": "true"},  # texts of parameters
        {"Title": UNKNOWN},
        {"Title": REFERENCE},
        {**SOUND, "Tags": UNKNOWN},
        {**SOUND, "Tags": [{"Key": UNKNOWN}, {"Key": UNKNOWN}]},
        {**SOUND, "Count": UNKNOWN, "On": UNKNOWN, "Kind": UNKNOWN, "Choice": UNKNOWN, "Rest": UNKNOWN},
    ],
)
def test_nothing_is_said_of_what_may_be_right(properties):
    assert find_faults(SCHEMA, properties) == []


def test_what_holds_of_any_value_is_said():
    given = {"Title": UNKNOWN, "Tags": [{"Value": UNKNOWN}, UNKNOWN, UNKNOWN], "Titel": UNKNOWN, "Arn": UNKNOWN}
    assert {each.pointed for each in find_faults(SCHEMA, given)} == {
        "#/Tags/0: required key [Key] not found",
        "#/Tags: expected maximum item count: 2, found: 3",
        "#: extraneous key [Titel] is not permitted",
        "#: extraneous key [Arn] is not permitted",
    }


def test_failures_of_resources():
    faults = find_faults(SCHEMA, {"Titel": "x", "Colour": "y"})
    assert deployment_failure("Acme::Web::Thing", "Shop", faults) == (
        "Properties validation failed for resource Shop with message:\n#: extraneous key [Colour] is not permitted\n"
        "#: extraneous key [Titel] is not permitted\n#: required key [Title] not found"
    )
    assert deployment_failure("AWS::SNS::Topic", "Shop", faults) == (
        "Property validation failure: [Encountered unsupported properties in {/}: [Colour, Titel], "
        "The property {/Title} is required]"
    )
    faults = find_faults(SCHEMA, {"Title": "ABC"})
    assert deployment_failure("AWS::SNS::Topic", "Shop", faults).startswith("Properties validation failed for resource")


def places(value, at=()):
    yield at
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(each, (*at, key))


def with_unknown(value, place):
    if not place:
        return UNKNOWN
    changed = copy.copy(value)
    changed[place[0]] = with_unknown(changed[place[0]], place[1:])
    return changed


GENERATOR = InstanceGenerator(SCHEMA, seed=5)
VALID = [SCHEMA.without_read_only(GENERATOR.random()) for _ in range(30)]


@given(st.sampled_from(VALID), st.data())
def test_no_value_that_is_known_later_is_accused(model, data):
    assert find_faults(SCHEMA, model) == []
    place = data.draw(st.sampled_from([each for each in places(model) if each]))
    assert find_faults(SCHEMA, with_unknown(model, place)) == []


@pytest.mark.parametrize("invalid", GENERATOR.invalid(), ids=lambda each: f"{each.keyword} {each.pointer}")
def test_every_fault_is_found(invalid):
    assert find_faults(SCHEMA, invalid.value)
