"""Items whose path has several parameters after its collection: a database's users, by database and name."""

import json

import pytest

from formwork.egress.stubs.service import open_stub
from support.openapi.clients import StubClient, value_of

USER = {
    "type": "object",
    "required": ["databaseName", "username"],
    "properties": {name: {"type": "string"} for name in ("databaseName", "username", "label")},
}
BODY = {"content": {"application/json": {"schema": USER}}}
SHOWN = {"description": "", **BODY}
LIST = {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": USER}}}}
ITEM = "/groups/{groupId}/users/{databaseName}/{username}"


def parameters(path):
    names = [each[1:-1] for each in path.split("/") if each.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def document(**more):
    collection = "/groups/{groupId}/users"
    paths = {
        collection: {
            "parameters": parameters(collection),
            "get": {"responses": {"200": LIST}},
            "post": {"requestBody": BODY, "responses": {"201": SHOWN}},
        },
        ITEM: {
            "parameters": parameters(ITEM),
            "get": {"responses": {"200": SHOWN, "404": {"description": ""}}},
            "patch": {
                "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
                "responses": {"200": SHOWN},
            },
            "delete": {"responses": {"204": {"description": ""}}},
        },
    }
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths, **more}


@pytest.fixture
def stub(tmp_path):
    path = tmp_path / "api.json"
    path.write_text(json.dumps(document()), encoding="utf-8")
    return open_stub(path)


@pytest.fixture
def client(stub):
    return StubClient(stub, "api.things.example", "")


def test_an_item_is_found_by_all_its_parameters(client):
    for database in ("admin", "$external"):
        made = client("POST", "/groups/g/users", {"databaseName": database, "username": "ann", "label": database})
        assert made.status == 201
    assert value_of(client("GET", "/groups/g/users/admin/ann"))["label"] == "admin"
    assert value_of(client("GET", "/groups/g/users/$external/ann"))["label"] == "$external"
    assert client("GET", "/groups/g/users/other/ann").status == 404
    assert client("GET", "/groups/other/users/admin/ann").status == 404
    assert client("POST", "/groups/g/users", {"databaseName": "admin", "username": "ann"}).status >= 400
    assert len(value_of(client("GET", "/groups/g/users"))) == 2


def test_a_change_keeps_what_names_the_item(client):
    client("POST", "/groups/g/users", {"databaseName": "admin", "username": "ann"})
    changed = client("PATCH", "/groups/g/users/admin/ann", {"label": "l", "databaseName": "other"})
    assert value_of(changed) == {"databaseName": "admin", "username": "ann", "label": "l"}
    assert client("DELETE", "/groups/g/users/admin/ann").status == 204
    assert client("GET", "/groups/g/users/admin/ann").status == 404
    assert value_of(client("GET", "/groups/g/users")) == []


def test_an_item_that_exists_from_the_beginning(stub, client):
    assert stub.begin_with("/groups/g/users/admin/ann")
    shown = value_of(client("GET", "/groups/g/users/admin/ann"))
    assert (shown["databaseName"], shown["username"]) == ("admin", "ann")
    assert value_of(client("GET", "/groups/g/users")) == [shown]
