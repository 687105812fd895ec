"""The resource type's schema as a value."""

import json

import pytest

from formwork.documents import parse_document
from formwork.schema import HandlerInfo, Tagging, load_hook_schema, load_resource_schema
from formwork.schema.resource import build_resource_schema
from support.corpus import corpus_projects, needs_fixtures

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing",
    "additionalProperties": False,
    "definitions": {
        "Tag": {
            "type": "object",
            "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}},
            "additionalProperties": False,
        },
        "Node": {"type": "object", "properties": {"Next": {"$ref": "#/definitions/Node"}, "Name": {"type": "string"}}},
        "Loop": {"$ref": "#/definitions/Loop"},
    },
    "properties": {
        "Name": {"type": "string"},
        "Tags": {"type": "array", "items": {"$ref": "#/definitions/Tag"}, "insertionOrder": False, "uniqueItems": True},
        "Steps": {"type": "array", "items": {"type": "integer"}},
        "Bag": {"type": "array", "items": {"type": "integer"}, "insertionOrder": False},
        "Attributes": {"type": "array", "arrayType": "AttributeList", "items": {"$ref": "#/definitions/Tag"}},
        "Outer": {"type": "object", "properties": {"properties": {"type": "string"}, "Inner": {"type": "string"}}},
        "Map": {"type": "object", "patternProperties": {"^a": {"type": "object", "properties": {"K": {}}}}},
        "Either": {"oneOf": [{"type": "object", "properties": {"Left": {}}}, {"$ref": "#/definitions/Node"}]},
        "Loop": {"$ref": "#/definitions/Loop"},
        "Root": {"$ref": "#/definitions/Node"},
    },
    "primaryIdentifier": ["/properties/Name"],
}


def load(**changes):
    value = {**SCHEMA, **changes}
    return build_resource_schema(parse_document(json.dumps(value), name="thing.json"))


@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("/properties/Name", ("Name",)),
        ("/properties/Tags/*/Key", ("Tags", "*", "Key")),
        ("/properties/Tags/items/properties/Key", ("Tags", "*", "Key")),
        ("/properties/Tags/0/Key", ("Tags", "*", "Key")),
        ("/properties/Tags/Key", ("Tags", "*", "Key")),
        ("/properties/Outer/Inner", ("Outer", "Inner")),
        ("/properties/Outer/properties/Inner", ("Outer", "Inner")),
        ("/properties/Outer/properties", ("Outer", "properties")),
        ("/properties/Outer/properties/properties", ("Outer", "properties")),
        ("/properties/Map/patternProperties/^a/K", ("Map", "*", "K")),
        ("/properties/Map/*/K", ("Map", "*", "K")),
        ("/properties/Either/Left", ("Either", "Left")),
        ("/properties/Either/Next/Next/Name", ("Either", "Next", "Next", "Name")),
    ],
)
def test_paths_are_normalised(pointer, path):
    schema = load(readOnlyProperties=[pointer])
    assert schema.read_only == (path,)
    assert schema.subschema_at(path) is not None


@pytest.mark.parametrize("pointer", ["/properties/Nope", "/properties/Name/Deeper", "/properties/Loop/x", "Name"])
def test_dangling_paths_are_kept(pointer):
    schema = load(readOnlyProperties=[pointer])
    assert schema.subschema_at(schema.read_only[0]) is None or pointer == "Name"


def test_defaults():
    schema = load()
    assert schema.tagging == Tagging()
    assert not schema.tagging.declared
    assert schema.handlers == {}
    assert schema.replacement_strategy == "create_then_delete"
    assert load(handlers={"create": {"permissions": ["a:b"]}}).handlers == {"create": HandlerInfo(("a:b",), 120)}


@pytest.mark.parametrize(
    ("tagging", "taggable"), [({"taggable": False}, False), ({"tagging": {"taggable": False}}, False), ({}, True)]
)
def test_a_type_without_tags_has_none_of_the_rest(tagging, taggable):
    found = load(**tagging).tagging
    assert (found.taggable, found.tag_on_create, found.tag_updatable, found.system_tags) == (taggable,) * 4


def test_legacy_identifiers():
    value = {key: each for key, each in SCHEMA.items() if key != "primaryIdentifier"}
    for written in (["/properties/Name", "/properties/Root/Name"], [["/properties/Name"], ["/properties/Root/Name"]]):
        text = json.dumps({**value, "identifiers": written})
        schema = build_resource_schema(parse_document(text, name="x.json"))
        assert schema.primary_identifier == (("Name",),)
        assert schema.additional_identifiers == ((("Root", "Name"),),)


TAG = {"Key": "a", "Value": "b"}
OTHER = {"Key": "c", "Value": "d"}


@pytest.mark.parametrize(
    ("path", "desired", "actual", "same"),
    [
        ((), {"Name": "a", "Tags": [TAG, OTHER]}, {"Tags": [OTHER, TAG], "Name": "a"}, True),
        ((), {"Name": "a"}, {"Name": "a", "Steps": []}, False),
        (("Tags",), [TAG, OTHER], [OTHER, TAG], True),
        (("Tags",), [TAG, OTHER], [OTHER, OTHER], False),
        (("Steps",), [1, 2], [2, 1], False),
        (("Steps",), [1, 2], [1.0, 2], True),
        (("Steps",), [1], [True], False),
        (("Bag",), [1, 1, 2], [2, 1, 1], True),
        (("Bag",), [1, 1, 2], [2, 2, 1], False),
        (("Attributes",), [TAG], [OTHER, TAG], True),
        (("Attributes",), [TAG, OTHER], [TAG], False),
        (("Name",), "a", "a", True),
        (("Name",), "1", 1, False),
        (("Name",), None, None, True),
        (("Nowhere",), {"a": [1, 2]}, {"a": [2, 1]}, False),
    ],
)
def test_equality(path, desired, actual, same):
    assert load().equal(path, desired, actual) is same


@needs_fixtures
def test_corpus_loads():
    projects = [each for each in corpus_projects() if each.schema_path.is_file()]
    assert len(projects) == 298
    for each in projects:
        load_it = load_hook_schema if each.kind == "HOOK" else load_resource_schema
        schema = load_it(each.schema_path).schema
        assert schema is not None, each.id
        assert schema.type_name == each.type_name
