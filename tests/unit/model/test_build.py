"""The matrix of incumbent behaviour (spec: resolver) and what it can't do."""

import pytest

from formwork.extensions import ExtensionKind
from formwork.model import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    Scalar,
    ScalarType,
    SetType,
    UnionType,
    build_type_model,
)

STRING, INTEGER, NUMBER, BOOLEAN = (ScalarType(each) for each in Scalar)
A = {"type": "object", "properties": {"X": {"type": "string"}}, "additionalProperties": False}
B = {"type": "object", "properties": {"Y": {"type": "integer"}}}


def build(property_schema=None, *, definitions=None, **schema):
    properties = {"P": property_schema} if property_schema is not None else {}
    return build_type_model(
        {"typeName": "Acme::Store::Thing", "properties": properties, "definitions": definitions or {}, **schema}
    )


def type_of(property_schema, **definitions):
    return build(property_schema, definitions=definitions).root.get_property("P").type


MATRIX = [
    ({"type": "string", "format": "date-time"}, ScalarType(Scalar.STRING, "date-time")),
    ({"type": "integer"}, INTEGER),
    ({"type": "number"}, NUMBER),
    ({"type": "boolean"}, BOOLEAN),
    ({"type": ["string"]}, STRING),
    ({"type": ["string", "null"]}, STRING),
    ({"type": ["string", "integer"]}, UnionType((STRING, INTEGER))),
    ({"type": ["string", "object"]}, UnionType((STRING, MapType(AnyType())))),
    ({"type": "null"}, AnyType()),
    ({"type": "colour"}, AnyType()),
    ({"type": 5}, AnyType()),
    ({}, AnyType()),
    (True, AnyType()),
    ({"type": "object"}, MapType(AnyType())),
    ({"type": "object", "properties": {}}, MapType(AnyType())),
    ({"patternProperties": {"a": {"type": "integer"}}}, MapType(INTEGER)),
    ({"patternProperties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}, MapType(INTEGER)),
    ({"patternProperties": {"a": {"type": "integer"}, "b": {"type": "string"}}}, MapType(AnyType())),
    ({"patternProperties": {"a": {"patternProperties": {"b": {"$ref": "#/definitions/A"}}}}}, MapType(MapType(ModelType("A")))),
    ({"patternProperties": {"a": {"type": "array", "items": {"type": "string"}}}}, MapType(ListType(STRING))),
    ({"type": "array"}, ListType(AnyType())),
    ({"type": "array", "items": [{"type": "string"}]}, ListType(AnyType())),
    ({"items": {"type": "string"}}, ListType(STRING)),
    ({"type": "array", "items": {"$ref": "#/definitions/A"}, "uniqueItems": True}, ListType(ModelType("A"))),
    ({"type": "array", "items": {"$ref": "#/definitions/A"}, "uniqueItems": True, "insertionOrder": False}, SetType(ModelType("A"))),
    ({"type": "array", "items": {"type": "array", "items": {"$ref": "#/definitions/A"}}}, ListType(ListType(ModelType("A")))),
    ({"type": "array", "items": {"patternProperties": {".*": {"type": "boolean"}}}}, ListType(MapType(BOOLEAN))),
    ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, UnionType((STRING, INTEGER))),
    ({"oneOf": [A, B]}, ModelType("P")),
    ({"anyOf": [{"$ref": "#/definitions/A"}, {"$ref": "#/definitions/B"}]}, UnionType((ModelType("A"), ModelType("B")))),
    ({"allOf": [{"$ref": "#/definitions/A"}]}, ModelType("A")),
    ({"type": "string", "anyOf": [{"pattern": "a"}, {"pattern": "b"}]}, STRING),
    ({"type": "object", "oneOf": [{"required": ["X"]}, {"required": ["Y"]}]}, MapType(AnyType())),
    ({"anyOf": [{"type": "object"}, {"type": "string"}]}, UnionType((STRING, MapType(AnyType())))),
    ({"oneOf": [{"type": "array"}, {"type": ["object", "string"]}]}, UnionType((ListType(AnyType()), MapType(AnyType()), STRING))),
    ({"oneOf": [A, {"type": "object"}]}, ModelType("P")),
    ({"oneOf": [{"type": "string"}, {}]}, AnyType()),
    ({"oneOf": [{"type": "string"}, {"anyOf": [{}]}]}, AnyType()),
    ({"oneOf": [{"oneOf": [{"type": "array"}, {}]}]}, AnyType()),
    ({"oneOf": [{"$ref": "#/definitions/A"}], "anyOf": [{"required": ["X"]}]}, ModelType("A")),
    ({"allOf": [{"$ref": "#/definitions/A"}, {"required": ["X"]}]}, ModelType("A")),
    ({"type": "object", "oneOf": [{"type": "string"}, {"$ref": "#/definitions/A"}]}, ModelType("A")),
    ({"$ref": "#"}, ModelType("ResourceModel")),
    ({"$ref": "#/definitions/Loop"}, AnyType()),
    ({"$ref": "#/definitions/Nowhere"}, AnyType()),
    ({"$ref": "other.json#/definitions/A"}, AnyType()),
    ({"$ref": "resource-schema.json#/definitions/A"}, ModelType("A")),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "expected"), MATRIX)
def test_matrix(schema, expected):
    assert type_of(schema, A=A, B=B, Loop={"$ref": "#/definitions/Loop"}) == expected


def test_alternatives_of_an_object_are_taken_in():
    types = build({"type": "object", "properties": {"X": {"type": "string"}}, "oneOf": [{"$ref": "#/definitions/B"}]}, definitions={"B": B})  # fmt: skip
    assert [each.name for each in types.expect_model("P").properties] == ["X", "Y"]


def test_alternatives_that_type_a_property_differently():
    types = build({"oneOf": [A, {"properties": {"X": {"type": "integer"}}}]})
    assert types.expect_model("P").get_property("X").type == UnionType((STRING, INTEGER))


def test_alternatives_that_only_constrain_a_property():
    types = build({"properties": {"X": {"type": "string"}}, "oneOf": [{"properties": {"X": {"const": "a"}}}]})
    assert types.expect_model("P").get_property("X").type == STRING


def test_nested_objects_of_alternatives_merge():
    inner = [{"properties": {"In": {"type": "object", "properties": {name: {"type": "string"}}}}} for name in "ab"]
    types = build({"oneOf": inner})
    assert [each.name for each in types.expect_model("In").properties] == ["a", "b"]


def test_required_counts_only_where_every_value_obeys():
    types = build(
        {
            "properties": {name: {"type": "string"} for name in "abc"},
            "required": ["a"],
            "allOf": [{"required": ["b"]}],
            "oneOf": [{"required": ["c"]}],
        }
    )
    assert [each.required for each in types.expect_model("P").properties] == [True, True, False]


def test_recursion_ends():
    tree = {"type": "object", "properties": {"Children": {"type": "array", "items": {"$ref": "#/definitions/Tree"}}}}
    assert build({"$ref": "#/definitions/Tree"}, definitions={"Tree": tree}).expect_model("Tree").properties[0].type == ListType(ModelType("Tree"))  # fmt: skip
    lists = {"type": "array", "items": {"$ref": "#/definitions/Lists"}}
    assert type_of({"$ref": "#/definitions/Lists"}, Lists=lists) == ListType(AnyType())


def test_a_long_chain_of_definitions_is_no_recursion():
    chain = {
        f"D{n}": {"type": "object", "properties": {"Next": {"$ref": f"#/definitions/D{n + 1}"}}} for n in range(3000)
    }
    assert len(build({"$ref": "#/definitions/D0"}, definitions=chain).models) == 3001
    lists = {f"D{n}": {"type": "array", "items": {"$ref": f"#/definitions/D{n + 1}"}} for n in range(3000)}
    assert isinstance(type_of({"$ref": "#/definitions/D0"}, **lists), ListType)


def test_what_is_described_beside_a_reference_is_kept():
    found = build({"$ref": "#/definitions/S", "description": "here"}, definitions={"S": {"type": "string", "description": "there", "maxLength": 5}}).root.properties[0]  # fmt: skip
    assert (found.description, found.schema["maxLength"]) == ("here", 5)


def test_closed_and_open():
    types = build({"oneOf": [{"type": "object", "properties": {"C": A, "D": B}}]}, additionalProperties=False)
    assert {each.name: each.closed for each in types.models} == {
        "ResourceModel": True,
        "P": False,
        "C": True,
        "D": False,
    }


@pytest.mark.parametrize(
    "pointer",
    ["/properties/P/Tags/*/Key", "/properties/P/properties/Tags/items/properties/Key", "/properties/P/Tags/Key"],
)
def test_flags_reach_nested_properties(pointer):
    tags = {"type": "array", "items": {"type": "object", "properties": {"Key": {"type": "string"}}}}
    types = build({"type": "object", "properties": {"Tags": tags}}, writeOnlyProperties=[pointer])
    assert types.expect_model("Tags").get_property("Key").write_only
    assert not types.root.properties[0].write_only


def test_flags_through_a_map():
    types = build({"patternProperties": {"[a-z]+": A}}, readOnlyProperties=["/properties/P/*/X"])
    assert types.expect_model("P").get_property("X").read_only


def test_pointers_that_are_none_are_left_to_validate():
    types = build(
        A, readOnlyProperties=["Id", "/properties/Nope/X", "", 5, "/"], primaryIdentifier=[None, "/properties/P"]
    )
    assert not types.root.properties[0].read_only
    assert types.primary_identifier == (("P",),)


def test_hook():
    types = build_type_model(
        {
            "typeName": "Acme::Guard::Hook",
            "definitions": {"A": A},
            "typeConfiguration": {"properties": {"One": {"$ref": "#/definitions/A"}}, "additionalProperties": False},
            "handlers": {"preCreate": {"targetNames": ["AWS::S3::Bucket"], "permissions": []}},
        }
    )
    assert types.kind is ExtensionKind.HOOK
    assert [each.name for each in types.models] == ["HookInputModel", "TypeConfigurationModel", "A"]
    assert types.type_configuration.properties[0].type == ModelType("A")


def test_the_kind_can_be_said():
    document = {"typeName": "Acme::Store::Thing", "typeConfiguration": {"properties": {"A": {}}}}
    assert build_type_model(document).kind is ExtensionKind.HOOK
    assert build_type_model(document, kind=ExtensionKind.RESOURCE).root.name == "ResourceModel"


def test_anything_builds():
    for document in (
        {},
        {"properties": []},
        {"properties": {"P": None}},
        {"typeName": 5, "handlers": [], "definitions": 1},
    ):
        assert build_type_model(document).root.name == "ResourceModel"


@pytest.mark.parametrize(
    ("schema", "closed"),
    [
        ({"oneOf": [A, A]}, True),
        ({"oneOf": [A, B]}, False),  # a value of B may have any property
        ({"oneOf": [A, {"type": "object"}]}, False),
        ({"oneOf": [A, {"required": ["X"]}]}, True),  # what only constrains says nothing of other properties
        ({"allOf": [A, B]}, True),
        ({**A, "oneOf": [B, B]}, True),
        ({**B, "oneOf": [A, A]}, True),
        ({**B, "oneOf": [A, B]}, False),
    ],
)
def test_a_union_is_closed_where_each_alternative_is(schema, closed):
    found = type_of({"type": "object", **schema})
    model = build({"type": "object", **schema}).expect_model(found.name)
    assert model.closed is closed


@pytest.mark.parametrize("name", ["", "a\0b", "a/b", "~", "😀"])
def test_any_name_leads_to_its_model(name):
    types = build({"$ref": "#/definitions/x"}, definitions={"x": {"properties": {name: A}, "type": "object"}})
    (outer,) = [each for each in types.models if each.get_property(name)]
    assert types.expect_model(outer.get_property(name).type.name).get_property("X")


ENUMS = [
    ({"type": "string", "enum": ["a", "b"]}, ("a", "b")),
    ({"type": "string", "const": "a"}, ("a",)),
    ({"type": "integer", "enum": [1, 2, True]}, (1, 2)),
    ({"type": ["string", "null"], "enum": ["a", None]}, ("a",)),
    ({"type": "string"}, ()),
    ({"type": "number", "enum": [1.5]}, ()),
]


@pytest.mark.parametrize(("node", "values"), ENUMS)
def test_an_enum_leaves_its_values(node, values):
    assert type_of(node).values == values
    assert type_of({"type": "array", "items": node}).item.values == values


def test_values_of_alternatives_are_joined_and_make_no_union():
    enums = [{"type": "string", "enum": ["a", "b"]}, {"type": "string", "enum": ["b", "c"]}]
    arrays = [{"type": "array", "items": each} for each in enums]
    assert type_of({"oneOf": enums}).values == ("a", "b", "c")
    assert type_of({"anyOf": arrays}).item.values == ("a", "b", "c")
    assert type_of({"anyOf": [*arrays, {"type": "array", "items": {"type": "string"}}]}).item.values == ()
    assert type_of({"patternProperties": {"x": enums[0], "y": enums[1]}}).value.values == ("a", "b", "c")
