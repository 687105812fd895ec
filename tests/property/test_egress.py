"""Stubs and cassettes under any request: replies are valid against the document, what is recorded is replayed."""

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.egress.cassettes.recorder import Recorder
from formwork.egress.cassettes.replay import open_replay
from formwork.egress.messages import Reply
from formwork.egress.stubs.service import open_stub
from support.egress_calls import Scripted, outgoing
from support.openapi.clients import StubClient
from support.openapi.oracle import Oracle

DATA = Path(__file__).parents[1] / "data" / "openapi"
THINGS, FLEET = DATA / "things.yaml", DATA / "fleet" / "openapi.json"
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6),
    st.sampled_from(["red", "private", "public", "abc", "AB-1234", "cl-0123abcd", "a@b.example"]),
)
NAMES = st.sampled_from(
    [
        "name",
        "color",
        "size",
        "note",
        "amount",
        "secret",
        "id",
        "status",
        "sku",
        "count",
        "cluster",
        "network",
        "kind",
        "cidr",
        "email",
    ]
)
BODIES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(NAMES, inner, max_size=5)),
    max_leaves=12,
)
ITEMS = st.one_of(
    st.fixed_dictionaries({"name": st.text(min_size=1, max_size=5)}, optional={"color": SCALARS, "size": SCALARS}),
    st.fixed_dictionaries({"cluster": st.just({"name": "abc", "size": 2})}),
    BODIES,
)
IDS = st.sampled_from(["1", "2", "x", "AB-1234", "cl-0123abcd", "%2F", "o"])
QUERIES = st.sampled_from(
    ["", "?page=2", "?per_page=1", "?maxResults=1", "?nextToken=x", "?color=red", "?filter[size]=1"]
)


@st.composite
def requests(draw, oracle):
    """An operation of a document, and a request for it."""
    template = draw(st.sampled_from(sorted(oracle.root["paths"])))
    methods = [name for name in oracle.root["paths"][template] if name not in ("parameters", "$ref")]
    method = draw(st.sampled_from(methods))
    path = "/".join(draw(IDS) if part.startswith("{") else part for part in template.split("/"))
    return template, method, path + draw(QUERIES), draw(ITEMS) if method in ("post", "put", "patch") else None


def keeps(document, base, data):
    oracle, client = ORACLES[document], StubClient(open_stub(document), base=base)
    for template, method, url, body in data.draw(st.lists(requests(oracle), max_size=8)):
        kind = "application/merge-patch+json" if method == "patch" and document is THINGS else "application/json"
        reply = client(method.upper(), url, body, content_type=kind)
        assert reply.status != 500
        if reply.status not in (405, 501):
            assert oracle.problems(template, method, reply) == [], (method, url, body, reply)


ORACLES = {THINGS: Oracle(THINGS), FLEET: Oracle(FLEET)}


@settings(deadline=None)
@given(st.data())
def test_replies_of_things_are_valid(data):
    keeps(THINGS, "/v1", data)


@settings(deadline=None)
@given(st.data())
def test_replies_of_fleet_are_valid(data):
    keeps(FLEET, "", data)


TEXTS = st.text(max_size=8)
JSON = st.recursive(
    st.one_of(SCALARS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)
PAYLOADS = st.one_of(JSON.map(lambda value: json.dumps(value).encode()), st.binary(max_size=20), TEXTS.map(str.encode))
TYPES = st.sampled_from(
    ["application/json", "text/plain", "application/x-www-form-urlencoded", "application/octet-stream"]
)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["GET", "POST"]), PAYLOADS, TYPES, PAYLOADS, TYPES, st.integers(200, 599)),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_recorded_is_replayed(tmp_path_factory, calls):
    folder = tmp_path_factory.mktemp("cassettes")
    recorder = Recorder(folder, lambda text: text)
    pairs = [
        (
            outgoing(method, f"https://a.example/{at}", sent, content_type=kind),
            Reply(status, body, (("content-type", told),)),
        )
        for at, (method, sent, kind, body, told, status) in enumerate(calls)
    ]
    responder = recorder.around(Scripted(*(reply for _, reply in pairs)))
    for request, _ in pairs:
        responder(request)
    recorder.close()
    replay = open_replay(folder)
    for request, reply in pairs:
        answered = replay(request)
        assert (answered.status, answered.headers) == (reply.status, reply.headers)
        assert answered.body == reply.body or json.loads(answered.body) == json.loads(reply.body)
    assert replay.stale == ()
