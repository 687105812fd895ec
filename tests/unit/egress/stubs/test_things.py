"""A stub of `things.yaml`: what it creates it shows, lists, changes and deletes; what the document refuses it refuses."""

from pathlib import Path

import pytest

from formwork.diagnostics import BadInputError
from formwork.egress.stubs.service import open_stub
from support.openapi.clients import StubClient, value_of

DOCUMENT = Path(__file__).parents[3] / "data" / "openapi" / "things.yaml"


@pytest.fixture
def client():
    return StubClient(open_stub(DOCUMENT), "api.things.example", "/v1")


def test_a_created_item_is_shown_listed_and_deleted(client):
    made = client("POST", "/things", {"name": "lamp", "color": "red"})
    thing = value_of(made)
    assert (made.status, thing["name"], thing["color"]) == (201, "lamp", "red")
    assert dict(made.headers)["location"] == f"https://api.things.example/v1/things/{thing['id']}"
    assert value_of(client("GET", f"/things/{thing['id']}")) == thing
    assert value_of(client("GET", "/things")) == [thing]
    assert client("DELETE", f"/things/{thing['id']}").status == 204
    assert client("GET", f"/things/{thing['id']}").status == 404
    assert client("DELETE", f"/things/{thing['id']}").status == 404
    assert value_of(client("GET", "/things")) == []


def test_ids_are_the_same_in_each_run():
    first, second = (
        [value_of(StubClient(open_stub(DOCUMENT), base="/v1")("POST", "/things", {"name": "a"}))] for _ in "ab"
    )
    assert first == second


def test_the_service_gives_read_only_properties_and_keeps_them(client):
    thing = value_of(client("POST", "/things", {"name": "lamp", "id": 99, "status": "failed"}))
    assert (thing["id"], thing["status"]) == (1, "active")
    changed = value_of(client("PUT", "/things/1", {"name": "other", "size": 2.5, "createdAt": "2001-01-01T00:00:00Z"}))
    assert changed["createdAt"] == thing["createdAt"]
    assert changed["size"] == 2.5


def test_a_write_only_property_is_not_shown(client):
    assert "secret" not in value_of(client("POST", "/things", {"name": "lamp", "secret": "hidden"}))
    assert "secret" not in value_of(client("GET", "/things/1"))


def test_put_replaces_and_patch_merges(client):
    client("POST", "/things", {"name": "lamp", "color": "red", "note": "n", "amount": 3})
    patched = client("PATCH", "/things/1", {"color": "blue", "note": None}, content_type="application/merge-patch+json")
    assert [value_of(patched).get(name) for name in ("name", "color", "note", "amount")] == ["lamp", "blue", None, 3]
    put = value_of(client("PUT", "/things/1", {"name": "lamp"}))
    assert [put.get(name) for name in ("color", "amount")] == [None, 1]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, '"name" is a required property'),
        ({"name": ""}, "/name"),
        ({"name": "a", "color": "pink"}, "/color"),
        ({"name": "a", "size": 0}, "/size"),
        (b"{", "request body is not JSON"),
        (b"[" * 300 + b"]" * 300, "nests too deep"),
        (None, "missing request body"),
    ],
)
def test_a_body_that_the_document_refuses_is_refused_in_its_form(client, body, message):
    reply = client("POST", "/things", body)
    problem = value_of(reply)
    assert (reply.status, problem["status"]) == (422, 422)
    assert message in problem["detail"]
    assert dict(reply.headers)["content-type"] == "application/problem+json"
    assert value_of(client("GET", "/things")) == []


def test_null_is_accepted_where_the_document_says_nullable(client):
    assert client("POST", "/things", {"name": "a", "note": None}).status == 201
    assert client("POST", "/things", {"name": "b", "color": None}).status == 422


@pytest.mark.parametrize(
    ("url", "headers", "message"),
    [
        ("/things?per_page=99", {}, 'query parameter "per_page": 99 is greater than the maximum of 50'),
        ("/things?page=one", {}, 'query parameter "page"'),
        ("/things?tag=a,b,c", {}, 'query parameter "tag"'),
        ("/things", {"x_trace": 3 * "x"}, None),
    ],
)
def test_parameters_are_checked(client, url, headers, message):
    reply = client("GET", url, **headers)
    assert reply.status == (400 if message else 200)
    assert message is None or message in value_of(reply)["detail"]


def test_a_missing_credential_is_refused_and_any_is_accepted(client):
    assert client("GET", "/things", x_api_key=None).status == 401
    assert client("GET", "/things", x_api_key="whatever").status == 200
    assert client("GET", "/regions", x_api_key=None).status == 200


def test_pages_are_numbered_and_linked(client):
    for name in "abcde":
        client("POST", "/things", {"name": name})
    first = client("GET", "/things?per_page=2&color=")
    assert first.status == 400  # an empty color is not one
    first = client("GET", "/things?per_page=2")
    headers = dict(first.headers)
    assert [thing["name"] for thing in value_of(first)] == ["a", "b"]
    assert headers["Link"] == '<https://api.things.example/v1/things?per_page=2&page=2>; rel="next"'
    assert headers["X-Total-Count"] == "5"
    last = client("GET", "/things?per_page=2&page=3")
    assert [thing["name"] for thing in value_of(last)] == ["e"]
    assert "Link" not in dict(last.headers)
    assert value_of(client("GET", "/things?page=9")) == []
    assert len(value_of(client("GET", "/things"))) == 3  # the default size


def test_a_list_is_filtered_by_parameters_that_are_properties(client):
    client("POST", "/things", {"name": "a", "color": "red"})
    client("POST", "/things", {"name": "b", "color": "blue"})
    assert [thing["name"] for thing in value_of(client("GET", "/things?color=blue"))] == ["b"]


def test_unique_properties_conflict(client):
    client("POST", "/things", {"name": "a"})
    second = value_of(client("POST", "/things", {"name": "b"}))
    assert client("POST", "/things", {"name": "a"}).status == 409
    assert client("PUT", f"/things/{second['id']}", {"name": "a"}).status == 409
    assert client("PUT", f"/things/{second['id']}", {"name": "b"}).status == 200


def test_ids_of_clients_conflict(client):
    client("POST", "/things", {"name": "a"})
    part = {"sku": "AB-1234", "count": 1}
    assert client("POST", "/things/1/parts", part).status == 201
    assert client("POST", "/things/1/parts", part).status == 409
    assert value_of(client("GET", "/things/1/parts/AB-1234")) == part


def test_what_is_in_an_item_needs_the_item_and_is_deleted_with_it(client):
    assert client("POST", "/things/1/parts", {"sku": "AB-1234", "count": 1}).status == 404
    client("POST", "/things", {"name": "a"})
    client("POST", "/things", {"name": "b"})
    client("POST", "/things/1/parts", {"sku": "AB-1234", "count": 1})
    assert value_of(client("GET", "/things/2/parts")) == []
    client("DELETE", "/things/1")
    assert client("GET", "/things/1/parts").status == 404


def test_an_action_answers_with_the_item(client):
    thing = value_of(client("POST", "/things", {"name": "a"}))
    reply = client("POST", "/things/1/restart")
    assert (reply.status, value_of(reply)) == (202, thing)


def test_a_collection_without_post_has_an_item(client):
    assert value_of(client("GET", "/regions")) == [{"name": "eu-north"}]


def test_a_repeated_creation_with_its_key_has_one_effect(client):
    first = client("POST", "/things", {"name": "a"}, idempotency_key="key-0001")
    again = client("POST", "/things", {"name": "a"}, idempotency_key="key-0001")
    assert first == again
    assert client("POST", "/things", {"name": "b"}, idempotency_key="key-0001").status == 422
    assert client("POST", "/things", {"name": "b"}, idempotency_key="short").status == 422
    assert [thing["name"] for thing in value_of(client("GET", "/things"))] == ["a"]


def test_a_refused_creation_takes_no_id(client):
    client("POST", "/things", {"name": "a"})
    client("POST", "/things", {"name": "a"})
    assert value_of(client("POST", "/things", {"name": "b"}))["id"] == 2


def test_unknown_paths_and_methods_are_named(client):
    assert client("GET", "/nothing").status == 404
    reply = client("DELETE", "/things")
    assert (reply.status, dict(reply.headers)["allow"]) == (405, "GET, POST")
    assert client("HEAD", "/things").body == b""
    assert StubClient(client.responder)("GET", "/things").status == 404  # the server's path is /v1


def test_another_content_type_is_refused(client):
    assert client("POST", "/things", b"<a/>", content_type="text/xml").status == 415


def test_a_repeated_request_may_have_its_members_in_another_order(client):
    first = client(
        "POST", "/things", b'{"name": "a", "color": "red"}', idempotency_key="key-0002", content_type="application/json"
    )
    again = client(
        "POST", "/things", b'{"color": "red", "name": "a"}', idempotency_key="key-0002", content_type="application/json"
    )
    assert (first.status, again.body) == (201, first.body)


def test_it_begins_with_what_exists():
    service = open_stub(DOCUMENT, ["/v1/things/7"])
    given = StubClient(service, "api.things.example", "/v1")
    assert value_of(given("GET", "/things/7"))["id"] == 7
    assert given("DELETE", "/things/7").status == 204
    assert given("GET", "/things/7").status == 404
    service.reset()
    assert given("GET", "/things/7").status == 200


@pytest.mark.parametrize("path", ["/v1/things", "/v1/nothing/1"])
def test_a_path_of_no_item_cannot_exist(path):
    with pytest.raises(BadInputError) as caught:
        open_stub(DOCUMENT, [path])
    assert [each.code for each in caught.value.diagnostics] == ["stub.exists"]
