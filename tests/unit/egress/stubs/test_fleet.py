"""A stub of `fleet/openapi.json`: OpenAPI 3.1 with a file beside it, wrapped items, cursors, and settings of an item."""

import json
from pathlib import Path

import pytest

from formwork.egress.stubs.service import open_stub
from support.openapi.clients import StubClient, value_of

DOCUMENT = Path(__file__).parents[3] / "data" / "openapi" / "fleet" / "openapi.json"
PRIVATE = {"kind": "private", "cidr": "10.0.0.0/8"}


@pytest.fixture
def client():
    return StubClient(open_stub(DOCUMENT), "eu.fleet.example")


def create(client, name="first", **more):
    reply = client("POST", "/orgs/o/clusters", {"cluster": {"name": name, "size": 2, **more}})
    return value_of(reply)["cluster"]


def test_an_item_is_wrapped_in_requests_and_replies(client):
    reply = client("POST", "/orgs/o/clusters", {"cluster": {"name": "first", "size": 2, "network": PRIVATE}})
    cluster = value_of(reply)["cluster"]
    assert reply.status == 202
    assert dict(reply.headers)["Retry-After"].isdecimal()
    assert (cluster["network"], cluster["state"]) == (PRIVATE, "AVAILABLE")
    assert value_of(client("GET", f"/orgs/o/clusters/{cluster['clusterId']}")) == {"cluster": cluster}
    changed = value_of(client("PATCH", f"/orgs/o/clusters/{cluster['clusterId']}", {"cluster": {"size": 3}}))
    assert changed == {"cluster": {**cluster, "size": 3}}


def test_the_alternative_that_fits_is_kept(client):
    assert create(client, network={"kind": "public", "ports": [1]})["network"] == {"kind": "public", "ports": [1]}
    assert (
        client(
            "POST", "/orgs/o/clusters", {"cluster": {"name": "abc", "size": 2, "network": {"kind": "private"}}}
        ).status
        == 400
    )


def test_pages_have_cursors(client):
    names = ["aaa", "bbb", "ccc"]
    for name in names:
        create(client, name)
    first = value_of(client("GET", "/orgs/o/clusters"))
    assert [cluster["name"] for cluster in first["clusters"]] == names[:2]
    assert (first["page"]["total"], first["page"]["hasMore"]) == (3, True)
    second = value_of(client("GET", f"/orgs/o/clusters?nextToken={first['page']['nextToken']}"))
    assert [cluster["name"] for cluster in second["clusters"]] == names[2:]
    assert second["page"] == {"total": 3, "hasMore": False, "nextToken": None}
    assert client("GET", "/orgs/o/clusters?nextToken=guessed").status == 400


def test_items_of_one_path_are_not_in_another(client):
    create(client)
    assert value_of(client("GET", "/orgs/other/clusters"))["clusters"] == []


def test_errors_have_the_form_of_the_document(client):
    reply = client("GET", "/orgs/o/clusters/cl-00000000")
    assert reply.status == 404
    assert value_of(reply)["error"]["code"] == "not_found"
    assert "cl-00000000" in value_of(reply)["error"]["message"]


def test_forms_are_read_like_json(client):
    body = b"cluster[name]=formed&cluster[size]=4&cluster[network][kind]=public&cluster[network][ports][]=80"
    reply = client("POST", "/orgs/o/clusters", body, content_type="application/x-www-form-urlencoded")
    cluster = value_of(reply)["cluster"]
    assert (cluster["name"], cluster["size"], cluster["network"]) == ("formed", 4, {"kind": "public", "ports": [80]})


def test_a_client_token_in_the_body_is_an_idempotency_key(client):
    body = {"cluster": {"name": "first", "size": 2}, "clientToken": "t-1"}
    assert client("POST", "/orgs/o/clusters", body) == client("POST", "/orgs/o/clusters", body)
    assert client("POST", "/orgs/o/clusters", {**body, "cluster": {"name": "other", "size": 2}}).status == 409


def test_settings_of_an_item_are_one_resource(client):
    place = f"/orgs/o/clusters/{create(client)['clusterId']}/settings"
    assert value_of(client("GET", place)) == {"retention": 7}
    assert client("PUT", place, {"retention": 30, "window": None}).status == 204
    assert value_of(client("GET", place))["retention"] == 30
    assert client("GET", "/orgs/o/clusters/cl-00000000/settings").status == 404


def test_a_deletion_may_have_a_reply(client):
    cluster = create(client)
    reply = client("DELETE", f"/orgs/o/clusters/{cluster['clusterId']}")
    assert value_of(reply) == {"deleted": True, "clusterId": cluster["clusterId"]}


def test_items_created_below_another_path_are_found_by_their_schema(client):
    user = value_of(client("POST", "/orgs/o/users", {"email": "a@example.com"}))
    assert value_of(client("GET", f"/users/{user['id']}")) == user
    assert client("GET", "/users/unknown").status == 404
    assert client("DELETE", f"/users/{user['id']}").status == 204
    assert client("GET", f"/users/{user['id']}").status == 404


def test_one_of_several_credentials_is_enough(client):
    assert client("GET", "/me", authorization="Basic YTpi").status == 200
    assert client("GET", "/me", authorization="Basic not-base64").status == 401
    assert client("GET", "/me", authorization="Bearer").status == 401
    refused = client("GET", "/me", authorization=None)
    assert refused.status == 401
    challenges = [value.partition(" ")[0] for name, value in refused.headers if name == "www-authenticate"]
    assert challenges == ["Basic", "Bearer"]


@pytest.mark.parametrize(
    ("scheme", "status"),
    [({"type": "http", "scheme": "digest"}, 401), ({"type": "apiKey", "in": "header", "name": "X-Key"}, 403)],
)
def test_a_challenge_is_a_401_also_where_a_403_alone_is_declared(tmp_path, scheme, status):
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Peers", "version": "1"},
        "components": {"securitySchemes": {"it": scheme}},
        "security": [{"it": []}],
        "paths": {"/peers": {"get": {"responses": {"200": {"description": "all"}, "403": {"description": "no"}}}}},
    }
    path = tmp_path / "peers.json"
    path.write_text(json.dumps(document))
    refused = StubClient(open_stub(path), "peers.example")("GET", "/peers", authorization=None)
    assert refused.status == status
    assert [name for name, _ in refused.headers if name == "www-authenticate"] == ["www-authenticate"] * (status == 401)


def test_a_text_is_shown_as_in_its_example(client):
    reply = client("GET", "/version", authorization=None)
    assert (reply.body, dict(reply.headers)) == (b"2024-09-01", {"content-type": "text/plain"})


def test_bodies_are_json(client):
    assert json.loads(client("GET", "/me").body)["email"]
