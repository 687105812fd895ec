"""Secrets stay out of messages: credentials, and what the schema calls write-only."""

import pytest

from cloudformation_cli_python_lib import Action, BaseModel, HandlerErrorCode, ProgressEvent, Resource
from cloudformation_cli_python_lib.redaction import Redaction, write_only_texts
from cloudformation_cli_python_lib.shapes import anything, array_of, map_of, model, string

from .request_samples import resource_request


class User(BaseModel):
    _write_only = ("Password", "Keys", "Login")

    def __init__(self, Name=None, Password=None, Keys=None, Login=None):
        self.Name = Name
        self.Password = Password
        self.Keys = Keys
        self.Login = Login

    @classmethod
    def _fields(cls):
        return {"Name": string, "Password": string, "Keys": map_of(array_of(string)), "Login": model(Login)}


class Login(BaseModel):
    def __init__(self, Text=None):
        self.Text = Text

    @classmethod
    def _fields(cls):
        return {"Text": anything}


class ResourceModel(BaseModel):
    def __init__(self, Name=None, Users=None):
        self.Name = Name
        self.Users = Users

    @classmethod
    def _fields(cls):
        return {"Name": string, "Users": map_of(array_of(model(User)))}


PROPERTIES = {
    "Name": "harmless-name",
    "Users": {
        "all": [
            {
                "Name": "harmless-user",
                "Password": "canary-password",
                "Keys": {"k": ["canary-key-1"]},
                "Login": {"Text": ["canary-login"]},
            }
        ]
    },
}


def test_write_only_values_are_found_at_any_depth():
    found = list(write_only_texts(ResourceModel._deserialize(PROPERTIES)))
    assert found == ["canary-password", "canary-key-1", "canary-login"]


@pytest.mark.parametrize("raised", [True, False])
def test_they_are_masked_in_messages(raised, caplog):
    resource = Resource("Acme::Store::Thing", ResourceModel)

    @resource.handler(Action.CREATE)
    def create(_session, request, _context):
        text = f"cannot make {request.desiredResourceState._serialize()}"
        if raised:
            raise RuntimeError(text)
        return ProgressEvent.failed(HandlerErrorCode.InvalidRequest, text)

    previous = {"Users": {"x": [{"Password": "canary-previous"}]}}
    data = {"previousResourceProperties": previous}
    response = resource(resource_request(properties=PROPERTIES, data=data), None)
    assert "harmless-name" in response["message"]
    assert "********" in response["message"]
    assert "canary" not in response["message"] + caplog.text


def test_what_is_short_stays_readable():
    redact = Redaction()
    redact.add(["t", "seven77", "eight888"])
    assert redact("t seven77 eight888") == "t seven77 ********"


def test_a_secret_inside_another_does_not_split_it():
    redact = Redaction()
    redact.add(["long-secret"])
    redact.add(["a-long-secret-indeed"])
    assert redact("x a-long-secret-indeed long-secret") == "x ******** ********"


def test_encoded_secrets_are_masked_too():
    redact = Redaction()
    redact.add(["a/b+c==d"])
    assert redact("?key=a%2Fb%2Bc%3D%3Dd") == "?key=********"
