"""What is shown of requests and answers: a canary put into every secret place comes out nowhere."""

import json

from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics.secrets import MASK, Secret
from formwork.invoke import Credentials, FakeTransport, HandlerSession
from formwork.invoke.masking import Masker

CANARY = "canary-4711-0815"
WRITE_ONLY = [("Password",), ("Logins", "*", "Key"), ("Map", "*")]
MODEL = {"Name": "n", "Password": CANARY, "Logins": [{"Key": CANARY + "2", "Id": "i"}], "Map": {"a": CANARY + "3"}}


def session(**settings):
    credentials = Credentials("AKIA" + CANARY, Secret("s" + CANARY), Secret("t" + CANARY))
    return HandlerSession(FakeTransport([{}]), "Acme::Store::Thing", credentials=lambda: credentials, **settings)


def test_a_resources_request_and_its_answers():
    masker = Masker(WRITE_ONLY)
    configured = session(type_configuration={"Key": CANARY + "4", "Deep": [{"Limit": 5}]})
    request = configured.request("UPDATE", MODEL, MODEL, callback_context={"copy": f"x{CANARY}y"})
    shown = masker.request(request)
    assert CANARY not in json.dumps(shown)
    assert shown["requestData"]["resourceProperties"]["Name"] == "n"
    assert shown["requestData"]["resourceProperties"]["Logins"] == [{"Key": MASK, "Id": "i"}]
    assert shown["requestData"]["typeConfiguration"] == {"Key": MASK, "Deep": [{"Limit": MASK}]}
    assert shown["callbackContext"] == {"copy": f"x{MASK}y"}
    assert request["requestData"]["resourceProperties"] == MODEL, "what is sent stays"
    event = {
        "resourceModel": MODEL,
        "resourceModels": [MODEL],
        "message": f"bad {CANARY}4",
        "callbackContext": {"k": CANARY},
    }
    assert CANARY not in json.dumps(masker.event(event))
    assert masker.text(f"token t{CANARY}!") == f"token {MASK}!"


def test_a_hooks_request():
    masker = Masker(WRITE_ONLY)
    target = {"resourceProperties": MODEL, "previousResourceProperties": MODEL}
    request = session(type_configuration={"Key": CANARY}).hook_request("CREATE_PRE_PROVISION", "A::B::C", target)
    shown = masker.request(request)
    assert CANARY not in json.dumps(shown)
    assert shown["requestData"]["callerCredentials"] == MASK
    assert masker.text(f"s{CANARY}") == MASK


def test_a_test_event():
    event = {
        "credentials": {"accessKeyId": "a" + CANARY, "secretAccessKey": CANARY, "sessionToken": CANARY},
        "request": {"desiredResourceState": MODEL, "typeConfiguration": {"Key": CANARY}},
        "typeConfiguration": {"Key": CANARY},
    }
    assert CANARY not in json.dumps(Masker(WRITE_ONLY).request(event))


def test_only_the_last_secrets_are_remembered():
    masker = Masker(WRITE_ONLY)
    for number in range(2000):
        masker.learn({"requestData": {"resourceProperties": {"Password": f"password-{number:05}"}}})
    assert masker.text("password-01999") == MASK
    assert masker.text("password-00001") == "password-00001"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
)


@given(JSON, JSON, JSON, JSON)
def test_no_shape_of_a_request_is_too_odd(model, credentials, configuration, data):
    masker = Masker(WRITE_ONLY)
    masker.request({"requestData": data, "request": data, "credentials": credentials, "hookModel": configuration})
    request = {
        "requestData": {
            "resourceProperties": model,
            "callerCredentials": credentials,
            "typeConfiguration": configuration,
        }
    }
    masker.request(request)
    masker.event(data)


def test_of_a_configuration_only_what_may_be_secret_is_masked_where_it_is_quoted():
    masker = Masker(())
    masker.learn(
        {"hookModel": {"AllowedRegions": "eu-central-1,us-east-1", "Service": {"ApiKey": "key-of-the-service"}}}
    )
    text = "eu-west-9 is not one of eu-central-1,us-east-1 (key-of-the-service)"
    assert masker.text(text) == f"eu-west-9 is not one of eu-central-1,us-east-1 ({MASK})"
