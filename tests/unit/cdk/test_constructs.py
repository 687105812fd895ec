"""Constructs as golden files, and what the Python ones check and render; `conformance/cdk` compiles and synthesizes."""

import types

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.cdk import plan_constructs, resource_construct
from formwork.cdk.names import snake_case
from formwork.model import ModelType
from support.cdk import Props, models
from support.cdk_cases import PLAIN, SHELF, cases, shelf_schema
from support.fake_cdk import python_constructs


@pytest.mark.parametrize("language", ["typescript", "python"])
def test_golden(language, golden):
    for name, file in plan_constructs(cases(), language).items():
        golden(f"cdk/{language}/{name}.txt", file.text)


def test_what_only_the_service_sets_is_an_attribute_and_no_property():
    shelf = cases()[0]
    assert {each.wire for each in shelf.properties}.isdisjoint({"ShelfId", "Endpoint"})
    assert {each.name: each.target for each in shelf.attributes} == {
        "attrShelfId": "ShelfId",
        "attrEndpointAddress": "Endpoint.Address",
        "attrEndpointPort": "Endpoint.Port",
        "attrEndpointHosts": "Endpoint.Hosts",
    }


def test_a_read_only_member_of_an_object_that_is_also_written_stays():
    shared = {"type": "object", "properties": {"A": {"type": "string"}}, "additionalProperties": False}
    document = {
        "typeName": "Acme::Store::Two",
        "definitions": {"Shared": shared},
        "properties": {"In": {"$ref": "#/definitions/Shared"}, "Out": {"$ref": "#/definitions/Shared"}},
        "readOnlyProperties": ["/properties/Out/A"],
    }
    made = resource_construct(shelf_schema(document))
    assert {each.wire: each.type for each in made.properties}["In"] == ModelType("Shared")


def test_what_one_alternative_requires_in_parts_is_not_required():
    both = {"allOf": [{"required": ["Start"]}, {"required": ["End"]}]}
    members = {name: {"type": "string"} for name in ("Start", "End", "Range")}
    when = {"type": "object", "properties": members, "oneOf": [{"required": ["Range"]}, both]}
    made = resource_construct(shelf_schema({"typeName": "Acme::Store::Rule", "properties": {"When": when}}))
    assert [each.required for each in made.interfaces[0].properties] == [False, False, False]


@pytest.fixture
def classes(tmp_path):
    with python_constructs(cases(), tmp_path) as found:
        yield found


def test_python_renders_objects_dicts_and_tokens(classes):
    shelf = classes["Acme::Store::Shelf"]
    token = types.SimpleNamespace(__jsii_ref__="x")
    made = shelf(
        None,
        "Shelf",
        db_name="a",
        boards=[shelf.BoardProperty(width_m_bs=1, kind="oak"), {"width_m_bs": 2.0}, token],
        locked=token,
        policy={"A": {"Ref": "B"}},
        place={"rack": 3},
        tags=[{"key": "a", "value": "b"}],
        stack="s",
        scope="t",
    )
    assert made._cfn_properties == {
        "DBName": "a",
        "Boards": [{"WidthMBs": 1, "Kind": "oak"}, {"WidthMBs": 2.0}, token],
        "Locked": token,
        "Policy": {"A": {"Ref": "B"}},
        "Place": {"Rack": 3},
        "Tags": [{"Key": "a", "Value": "b"}],
        "Stack": "s",
        "scope": "t",
    }
    made.db_name = "b"
    made.cdk_tag_manager.extra["owner"] = "me"
    assert made._cfn_properties["DBName"] == "b"
    assert made._cfn_properties["Tags"] == [{"Key": "a", "Value": "b"}, {"Key": "owner", "Value": "me"}]


def test_tags_of_the_cdk_join_a_map(classes):
    made = classes[PLAIN["typeName"]](None, "Bin", tags={"a": "b"})
    made.cdk_tag_manager.extra["owner"] = "me"
    assert made._cfn_properties == {"Tags": {"a": "b", "owner": "me"}}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"db_name": 1}, "db_name: expected a string, not an int"),
        ({"db_name": None}, "db_name: missing, and required"),
        ({"db_name": "a", "boards": "no"}, "boards: expected a list, not a str"),
        ({"db_name": "a", "boards": [{}]}, "boards[0].width_m_bs: missing, and required"),
        ({"db_name": "a", "boards": [{"width_m_bs": 1.5}]}, "boards[0].width_m_bs: expected an integer, not a float"),
        ({"db_name": "a", "boards": [{"width_m_bs": 1, "depth": 2}]}, "boards[0].depth: no such property"),
        (
            {"db_name": "a", "boards": [{"width_m_bs": 1, "kind": "secret"}]},
            "boards[0].kind: expected one of 'oak', \"it's\"",
        ),
        ({"db_name": "a", "locked": "yes"}, "locked: expected a boolean, not a str"),
        ({"db_name": "a", "place": 3}, "place: expected an object, not an int"),
    ],
)
def test_python_refuses_what_the_schema_does_not_allow(classes, given, problem):
    with pytest.raises(ValueError, match="not those of Acme::Store::Shelf") as caught:
        classes["Acme::Store::Shelf"](None, "Shelf", **given)
    assert problem in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_module_gives_references_to_its_resources(classes):
    made = classes["Acme::Store::Depot::MODULE"](None, "Depot", shelf_name="a")
    assert made._cfn_properties == {"ShelfName": "a"}
    assert made.ref_shelf == "ref:Depot.Shelf"


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_valid_model_comes_back(seed, tmp_path_factory):
    schema = shelf_schema(SHELF)
    construct = resource_construct(schema)
    with python_constructs([construct], tmp_path_factory.mktemp("c")) as found:
        for model in models(schema, seed):
            props = Props(construct, snake_case)
            made = found["Acme::Store::Shelf"](None, "S", **props.of(model))
            assert made._cfn_properties == props.expected(model)
