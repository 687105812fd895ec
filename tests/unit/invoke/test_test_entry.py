"""The test entry point: envelopes of the service become its events."""

import json

import pytest

from formwork.aws import Credentials
from formwork.diagnostics.secrets import Secret
from formwork.invoke import Answer, HandlerSession
from formwork.invoke.test_entry import TestEntryTransport

CREDENTIALS = Credentials("AKIDEXAMPLE", Secret("secret"), Secret("token"))


class Recording:
    """A transport that answers the same each time; `sent` are the payloads."""

    def __init__(self, event):
        self.event = event
        self.sent = []

    def invoke(self, payload, *, timeout=None):
        self.sent.append(payload)
        return Answer(json.dumps(self.event).encode())


def session(event):
    recording = Recording(event)
    made = HandlerSession(
        TestEntryTransport(recording),
        "Acme::Store::Thing",
        credentials=lambda: CREDENTIALS,
        type_configuration={"A": 1},
    )
    return made, recording


def test_a_resources_request_has_no_envelope():
    made, recording = session({"status": "SUCCESS"})
    exchange = made.invoke("UPDATE", {"Name": "b"}, {"Name": "a"}, token="t", tags={"k": "v"})
    assert exchange.event == {"status": "SUCCESS"}
    (event,) = recording.sent
    assert set(event) == {"credentials", "action", "request", "callbackContext", "region"}
    assert event["credentials"] == CREDENTIALS.to_wire()
    request = event["request"]
    assert (request["clientRequestToken"], request["typeConfiguration"]) == ("t", {"A": 1})
    assert (request["desiredResourceState"], request["previousResourceState"]) == ({"Name": "b"}, {"Name": "a"})
    assert request["desiredResourceTags"] == {"k": "v"}


def test_a_hooks_answer_is_the_services():
    made, recording = session(
        {"status": "FAILED", "errorCode": "NonCompliant", "message": "no", "callbackContext": None}
    )
    exchange = made.invoke_hook("CREATE_PRE_PROVISION", "AWS::S3::Bucket", {"resourceProperties": {}}, token="t")
    (event,) = recording.sent
    assert event["credentials"] == CREDENTIALS.to_wire(), "an object, not a document in a string"
    assert event["request"]["hookContext"]["targetName"] == "AWS::S3::Bucket"
    assert event["typeConfiguration"] == {"A": 1}
    assert exchange.event == {
        "hookStatus": "FAILED",
        "errorCode": "NonCompliant",
        "message": "no",
        "clientRequestToken": "t",
    }


def test_an_event_written_by_hand_is_sent_as_it_is():
    made, recording = session({"status": "SUCCESS"})
    event = {"action": "CREATE", "request": {}, "credentials": {"accessKeyId": "own"}}
    made.send(event)
    assert recording.sent == [event]


@pytest.mark.parametrize("written", [None, {}, {"accessKeyId": "", "secretAccessKey": "", "sessionToken": ""}])
def test_missing_credentials_are_filled_in(written):
    made, _ = session({})
    event = {"action": "CREATE", **({} if written is None else {"credentials": written})}
    filled = made.with_credentials(event)
    assert filled["credentials"] == (CREDENTIALS.to_wire() if not written or not all(written.values()) else written)
    own = {"credentials": {"accessKeyId": "a", "secretAccessKey": "b", "sessionToken": "c"}}
    assert made.with_credentials(own) is own
