"""The transport through boto3, against the local service, which boto3 takes for AWS Lambda."""

import json

import boto3
import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.invoke.remote import AwsLambdaTransport, lambda_client
from formwork.lambda_host.host import LambdaHost
from support.lambdas import make_function


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with LambdaHost([make_function(tmp_path_factory.mktemp("remote") / "f")]) as host:
        session = boto3.Session(region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y")
        yield lambda_client(session, host.serve(port=0))


def test_an_answer_and_a_function_error(client):
    transport = AwsLambdaTransport(client, "TypeFunction")
    assert json.loads(transport.invoke({"n": 1}).body)["event"] == {"n": 1}
    answer = transport.invoke({"what": "raise"})
    assert answer.function_error == "Unhandled"
    assert "[ERROR] LookupError: no such thing" in answer.log
    assert answer.seconds > 0


def test_half_a_character_travels_escaped(client):
    answer = AwsLambdaTransport(client, "TypeFunction").invoke({"n": "\ud800"})
    assert json.loads(answer.body)["errorType"] == "Runtime.MarshalError", "the handler got it, and can't give it back"


def test_a_refusal(client):
    with pytest.raises(EnvironmentProblemError, match="ResourceNotFoundException"):
        AwsLambdaTransport(client, "Nope").invoke({})
