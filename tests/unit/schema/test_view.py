"""The typed view of a schema: places, references, recursion, and what is not a schema."""

import gc
import weakref

from formwork.schema.view import UNKNOWN, SchemaView

DOCUMENT = {
    "definitions": {
        "Tree": {"type": "object", "properties": {"Left": {"$ref": "#/definitions/Tree"}, "Note": {"type": "string"}}},
        "Alias": {"$ref": "#/definitions/Tree"},
    },
    "properties": {
        "Root": {"$ref": "#/definitions/Alias"},
        "Other": {"$ref": "resource-schema.json#/definitions/Tree"},
        "Names": {"type": "array", "items": {"type": ["string", "integer"]}},
        "Map": {"patternProperties": {"a/b": {"type": "string"}}},
        "Lost": {"$ref": "#/definitions/Absent"},
        "Loop": {"$ref": "#/properties/Loop"},
        "Odd": True,
    },
    "oneOf": [{"required": ["Root"]}, {"properties": {"Extra": {"$ref": "#/oneOf/0"}}}, 7],
}


def test_a_place_has_one_node():
    view = SchemaView(DOCUMENT)
    tree = view.root.definitions["Tree"]
    assert view.root.properties["Root"].target is tree is view.root.properties["Other"].target
    assert tree.properties["Left"].target is tree
    assert view.at(("Root", "Left", "Left", "Note")) is tree.properties["Note"]
    assert tree.properties["Note"].pointer == "/definitions/Tree/properties/Note"


def test_references_that_lead_nowhere_give_an_empty_schema():
    view = SchemaView(DOCUMENT)
    for name in ("Lost", "Loop"):
        node = view.root.properties[name]
        assert (node.target.value, node.target.path) == ({}, node.path)


def test_keywords_are_typed():
    root = SchemaView(DOCUMENT).root
    assert root.properties["Names"].items.types == ("string", "integer")
    assert root.properties["Odd"].value == {}
    assert [each.pointer for each in root.one_of] == ["/oneOf/0", "/oneOf/1"]
    assert root.one_of[0].required == ("Root",)
    assert root.one_of[1].properties["Extra"].target is root.one_of[0]
    assert UNKNOWN.child("Any") is None


def test_children_are_found_in_alternatives_and_maps():
    view = SchemaView(DOCUMENT)
    assert view.at(("Extra",)) is view.root.one_of[0]
    assert view.at(("Map", "*")).pointer == "/properties/Map/patternProperties/a~1b"
    assert view.at(("Absent",)) is None


def test_the_walk_has_each_written_schema_once():
    paths = [node.pointer for node in SchemaView(DOCUMENT).root.walk()]
    assert len(paths) == len(set(paths)) == 15
    assert "/properties/Odd" not in paths
    assert paths[:2] == ["/properties/Root", "/properties/Other"]


def test_the_part_of_a_larger_document_keeps_its_place():
    view = SchemaView({"properties": {"Key": {}}}, at=("typeConfiguration",))
    assert view.root.properties["Key"].pointer == "/typeConfiguration/properties/Key"


def test_nothing_holds_the_nodes_of_a_closed_view():
    value = {"properties": {"Key": {"$ref": "#/definitions/Word"}}, "definitions": {"Word": {"type": "string"}}}
    gc.disable()
    try:
        view = SchemaView(value)
        assert view.root.properties["Key"].target.types == ("string",)
        held = weakref.ref(view)
        view.close()
        del view
        assert held() is None
    finally:
        gc.enable()
