"""A run over each of the two documents, as a handler's life of a resource makes it: what was asked and answered."""

import json
from pathlib import Path

import pytest

from formwork.egress.stubs.service import open_stub
from support.openapi.clients import StubClient, value_of
from support.openapi.oracle import Oracle

DATA = Path(__file__).parents[3] / "data" / "openapi"
LAMP = {"name": "lamp", "color": "red", "secret": "hidden"}
PART = {"sku": "AB-1234", "count": 2, "price": {"amount": 1.5, "currency": "EUR"}}
CLUSTER = {"name": "first", "size": 2, "network": {"kind": "private", "cidr": "10.0.0.0/8"}}
RUNS = {
    "things.yaml": (
        "/v1",
        [
            ("POST", "/things", LAMP),
            ("POST", "/things", LAMP),
            ("POST", "/things", {"color": "pink"}),
            ("GET", "/things/{thingId}", None),
            ("PUT", "/things/{thingId}", {"name": "desk lamp", "size": 1.5}),
            ("PATCH", "/things/{thingId}", {"note": "here"}),
            ("POST", "/things/{thingId}/parts", PART),
            ("GET", "/things/{thingId}/parts", None),
            ("POST", "/things/{thingId}/restart", None),
            ("GET", "/things", None),
            ("GET", "/regions", None),
            ("DELETE", "/things/{thingId}", None),
            ("GET", "/things/{thingId}", None),
            ("GET", "/things/{thingId}/parts", None),
            ("DELETE", "/things/{thingId}", None),
        ],
    ),
    "fleet/openapi.json": (
        "",
        [
            ("POST", "/orgs/{org}/clusters", {"cluster": CLUSTER, "clientToken": "t"}),
            ("POST", "/orgs/{org}/clusters", {"cluster": CLUSTER, "clientToken": "t"}),
            ("POST", "/orgs/{org}/clusters", {"cluster": {"name": "X"}}),
            ("GET", "/orgs/{org}/clusters/{clusterId}", None),
            ("PATCH", "/orgs/{org}/clusters/{clusterId}", {"cluster": {"size": 3}}),
            ("GET", "/orgs/{org}/clusters/{clusterId}/settings", None),
            ("PUT", "/orgs/{org}/clusters/{clusterId}/settings", {"retention": 30}),
            ("GET", "/orgs/{org}/clusters", None),
            ("DELETE", "/orgs/{org}/clusters/{clusterId}", None),
            ("GET", "/orgs/{org}/clusters/{clusterId}", None),
            ("POST", "/orgs/{org}/users", {"email": "a@example.com"}),
            ("GET", "/me", None),
            ("GET", "/version", None),
        ],
    ),
}


@pytest.mark.parametrize("document", RUNS)
def test_a_run(document, golden):
    base, calls = RUNS[document]
    client, oracle = StubClient(open_stub(DATA / document), "api.example", base), Oracle(DATA / document)
    lines, ids = [], {"{org}": "o"}
    for method, template, body in calls:
        path = template
        for name, key in ids.items():
            path = path.replace(name, key)
        kind = "application/merge-patch+json" if method == "PATCH" and base else "application/json"
        reply = client(method, path, body, content_type=kind)
        if method == "POST" and reply.status in (201, 202) and "{thingId}" not in ids and "{clusterId}" not in ids:
            made = value_of(reply)
            ids |= {"{thingId}": str(made["id"])} if "id" in made else {"{clusterId}": made["cluster"]["clusterId"]}
        assert oracle.problems(template, method, reply) == []
        headers = "".join(f"\n  {name}: {value}" for name, value in reply.headers)
        sent = "" if body is None else f" {json.dumps(body)}"
        lines.append(f"{method} {path}{sent}\n  {reply.status} {reply.body.decode()}{headers}\n")
    golden(f"egress/{document.partition('.')[0].replace('/', '-')}.txt", "".join(lines))


def test_the_oracle_refuses_what_is_not_valid():
    oracle, client = Oracle(DATA / "things.yaml"), StubClient(open_stub(DATA / "things.yaml"), base="/v1")
    reply = client("POST", "/things", LAMP)
    broken = {**value_of(reply), "status": "unknown"}
    assert oracle.problems("/things", "post", type(reply)(201, json.dumps(broken).encode(), reply.headers))
    assert oracle.problems("/things", "post", type(reply)(202, reply.body, reply.headers))  # not of `default`
