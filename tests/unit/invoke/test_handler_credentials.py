"""Requests get credentials that name the handler they are for."""

import json

import pytest

from formwork.aws.credentials import handler_access_key, local_credentials
from formwork.invoke import HandlerSession
from formwork.invoke.handler_credentials import HandlerCredentialsTransport
from formwork.invoke.requests import called_handler


class Sent(list):
    def invoke(self, payload, *, timeout=None):
        self.append((payload, timeout))
        return "answer"


@pytest.fixture
def session():
    return HandlerSession(Sent(), "Acme::Store::Thing", credentials=local_credentials)


def test_a_resource_handler_gets_its_own(session):
    sent = Sent()
    request = session.request("UPDATE", {"a": "b"})
    assert HandlerCredentialsTransport(sent).invoke(request, timeout=3) == "answer"
    ((payload, timeout),) = sent
    assert payload["requestData"]["callerCredentials"]["accessKeyId"] == handler_access_key("update")
    assert timeout == 3
    assert request["requestData"]["callerCredentials"]["accessKeyId"] == local_credentials().access_key_id


def test_a_hook_handler_gets_its_own(session):
    sent = Sent()
    HandlerCredentialsTransport(sent).invoke(session.hook_request("DELETE_PRE_PROVISION", "AWS::S3::Bucket", {}))
    given = json.loads(sent[0][0]["requestData"]["callerCredentials"])
    assert given["accessKeyId"] == handler_access_key("preDelete")


@pytest.mark.parametrize("payload", [{}, {"action": "CREATE"}, {"action": 1, "requestData": {"callerCredentials": {}}}])
def test_what_has_no_credentials_is_sent_as_it_is(payload):
    sent = Sent()
    HandlerCredentialsTransport(sent).invoke(payload)
    assert sent[0][0] is payload


def test_a_point_that_is_not_known_names_no_handler():
    assert called_handler({"actionInvocationPoint": "CREATE_POST_PROVISION"}) is None
