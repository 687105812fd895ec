"""Cassettes: read, and asked for their own requests and for others."""

import contextlib
import json
from urllib.parse import urlencode

from formwork.diagnostics import BadInputError
from formwork.documents import DocumentFormat, parse_document
from formwork.egress.cassettes.entries import RecordedCall
from formwork.egress.cassettes.reading import parse_cassette
from formwork.egress.cassettes.replay import Replay
from formwork.egress.messages import NoRecordingError
from fuzz.envelopes import bytes_of
from support.egress_calls import outgoing

MOST_CALLS = 20


@contextlib.contextmanager
def opened():
    yield check


def check(data):
    try:
        document = parse_document(data.decode("utf-8", "replace"), name="a.cassette.json", format=DocumentFormat.JSON)
    except BadInputError:
        return
    calls = tuple(each for each in parse_cassette(document) if isinstance(each, RecordedCall))[:MOST_CALLS]
    replay = Replay({"a.cassette.json": calls})
    for call in calls:
        request = call.request
        with contextlib.suppress(NoRecordingError):
            query = urlencode(request.query, doseq=True, errors="replace")
            body = json.dumps(request.body.value).encode()
            with contextlib.suppress(ValueError):  # a port that is not one
                replay(outgoing(request.method, f"{request.url}?{query}", body, **{"content-type": "application/json"}))
    with contextlib.suppress(NoRecordingError):
        replay(outgoing("POST", "https://a.example/x-1a2b3c4d", {"a": "1a2b3c4d", "b": [1, {"c": None}]}))
    assert len(replay.stale) <= len(calls)


def seeds():
    yield bytes_of({"cassette": 1, "calls": [CALL, {**CALL, "reply": {"status": 200, "text": ["<a>", "</a>"]}}]})
    yield bytes_of({"cassette": 1, "calls": [FORM]})


CALL = {
    "request": {
        "method": "POST",
        "url": "https://a.example/x-9z8y7x6w",
        "json": {"a": "9z8y7x6w", "b": [1, {"c": None}]},
    },
    "reply": {
        "status": 201,
        "headers": {"a": "b"},
        "json": {"name": "x-9z8y7x6w", "expires_at": "2020-01-01T00:00:00Z"},
    },
}
FORM = {
    "request": {
        "method": "POST",
        "url": "https://a.example:1/",
        "query": {"a": ["1", "2"], "t": "2020-01-01T00:00:00Z"},
        "headers": {"x-amz-target": "A.GetB"},
        "form": {"Action": "GetB", "Secret": "********", "c": "x ******** y"},
    },
    "reply": {"status": 400, "headers": [["a", "b"], ["a", "c"]], "base64": "AA=="},
}
