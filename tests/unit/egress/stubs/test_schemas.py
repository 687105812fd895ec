"""Schemas of OpenAPI in JSON Schema, and documents whose schemas contradict themselves."""

import json

import pytest

from formwork.egress.stubs.references import LinkedDocuments
from formwork.egress.stubs.schemas import Schemas
from formwork.egress.stubs.service import open_stub
from formwork.egress.stubs.translation import Direction
from support.openapi.clients import StubClient, value_of


def closed(tmp_path, schemas, direction=Direction.RESPONSE, version="3.0.0"):
    path = tmp_path / "api.json"
    path.write_text(json.dumps({"openapi": version, "paths": {}, "components": {"schemas": schemas}}))
    documents = LinkedDocuments(path)
    at = documents.root.child("components", "schemas", "A")
    return Schemas(documents, is_30=version.startswith("3.0")).closed(at, direction)


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, [2], [1]),
        ({"type": "integer", "maximum": 1, "exclusiveMaximum": False}, [1], [2]),
        ({"type": "string", "nullable": True, "enum": ["a"]}, ["a", None], ["b"]),
        ({"type": "string", "enum": [1.0, 2]}, ["1.0", "2"], ["1"]),
        ({"items": {"type": "string"}}, [["a"]], [[1], "a"]),
        ({"type": "any", "minLength": "1", "pattern": "(", "required": True}, [1, "", {}], []),
        ({"$ref": "#/components/schemas/B", "type": "string"}, [1], ["a"]),
    ],
)
def test_schemas_of_openapi_30(tmp_path, schema, valid, invalid):
    found = closed(tmp_path, {"A": schema, "B": {"type": "integer"}})
    assert [found.is_valid(each) for each in (*valid, *invalid)] == [True] * len(valid) + [False] * len(invalid)


def test_what_stands_beside_a_reference_counts_in_31(tmp_path):
    schemas = {"A": {"$ref": "#/components/schemas/B", "minimum": 2}, "B": {"type": ["integer", "null"]}}
    found = closed(tmp_path, schemas, version="3.1.0")
    assert [found.is_valid(each) for each in (2, None, 1, "a")] == [True, True, False, False]


PROPERTIES = {"r": {"readOnly": True}, "w": {"$ref": "#/components/schemas/W"}, "x": {}}
BASE = {"type": "object", "properties": PROPERTIES, "required": ["r", "w", "x"]}


@pytest.mark.parametrize("schema", [BASE, {"allOf": [{**BASE, "required": []}, {"required": ["r", "w", "x"]}]}])
def test_what_one_direction_does_not_have_is_not_required_in_it(tmp_path, schema):
    schemas = {"A": schema, "W": {"type": "string", "writeOnly": True}}
    sent, shown = (closed(tmp_path, schemas, direction) for direction in Direction)
    assert [sent.is_valid(each) for each in ({"w": "a", "x": 1}, {"w": "a"}, {"x": 1})] == [True, False, False]
    assert [shown.is_valid(each) for each in ({"r": "a", "x": 1}, {"r": "a"}, {"x": 1})] == [True, False, False]
    assert "w" not in shown.properties(shown.root)


def test_a_discriminator_names_the_branch_of_a_response(tmp_path):
    branch = {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
    mapping = {"cat": "#/components/schemas/Cat", "hound": "Dog"}
    one_of = [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]
    schemas = {"A": {"oneOf": one_of, "discriminator": {"propertyName": "kind", "mapping": mapping}}, "Cat": branch}
    schemas["Dog"] = branch
    shown, sent = (closed(tmp_path, schemas, direction) for direction in (Direction.RESPONSE, Direction.REQUEST))
    assert [shown.is_valid({"kind": kind}) for kind in ("cat", "hound", "Dog")] == [True, True, False]
    assert sent.is_valid({"kind": "cat"})  # both branches accept it


IMPOSSIBLE = {
    "closed": {"allOf": [{"$ref": "#/components/schemas/Closed"}, {"properties": {"b": {}}, "required": ["b"]}]},
    "undeclared": {"type": "object", "properties": {}, "required": ["a"], "additionalProperties": False},
    "twice": {"oneOf": [{"$ref": "#/components/schemas/Closed"}, {"$ref": "#/components/schemas/Closed"}]},
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_schema_that_nothing_satisfies_is_relaxed(tmp_path, name):
    schema = {"$ref": "#/components/schemas/A"}
    content = {"application/json": {"schema": schema}}
    paths = {"/a": {"post": {"requestBody": {"content": content}, "responses": {"201": {"content": content}}}}}
    own = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
    value = {"openapi": "3.0.0", "paths": paths, "components": {"schemas": {"A": IMPOSSIBLE[name], "Closed": own}}}
    (tmp_path / "api.json").write_text(json.dumps(value))
    client = StubClient(open_stub(tmp_path / "api.json"))
    reply = client("POST", "/a", {"a": "one"} if name == "twice" else {"a": "one", "b": 2})
    assert (reply.status, value_of(reply)["a"]) == (201, "one")
    assert client("POST", "/a", {"b": 1}).status == 400
