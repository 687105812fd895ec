"""Dynamic references against a real Parameter Store and a real Secrets Manager, as far as moto has them."""

import contextlib
import json
import os

import boto3
import pytest

from formwork.aws import local_credentials
from formwork.aws.access import AwsAccess
from formwork.aws.moto import MotoServer
from formwork.aws.stored_values import StoredParameter, StoredValues, UnresolvedReferenceError
from formwork.diagnostics.secrets import Secret, marked_secrets

REGION = "eu-west-1"


@pytest.fixture(scope="module")
def stored():
    with contextlib.closing(MotoServer(os.environ)) as server:
        values = StoredValues(AwsAccess(local_credentials, server.url))
        session = boto3.Session("testing", "testing", "testing", region_name=REGION)
        ssm, secrets = (session.client(name, endpoint_url=server.url) for name in ("ssm", "secretsmanager"))
        ssm.put_parameter(Name="/app/color", Value="red", Type="String")
        ssm.put_parameter(Name="/app/color", Value="blue", Type="String", Overwrite=True)
        ssm.put_parameter(Name="/app/zones", Value="a, b", Type="StringList")
        ssm.put_parameter(Name="/app/password", Value="correct horse", Type="SecureString")
        arn = secrets.create_secret(Name="app/db", SecretString=json.dumps({"user": "u1", "port": 5432}))["ARN"]
        values.arn = arn
        secrets.put_secret_value(SecretId="app/db", SecretString=json.dumps({"user": "u2", "port": 5432}))
        secrets.create_secret(Name="plain", SecretString="just text")
        secrets.create_secret(Name="binary", SecretBinary=b"\x00")
        yield values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{resolve:ssm:/app/color}}", "blue"),
        ("{{resolve:ssm:/app/color:1}}", "red"),
        ("A={{resolve:ssm:/app/color:1}}_B={{resolve:ssm:/app/color}}!", "A=red_B=blue!"),
        ("{{resolve:ssm:/app/zones}}", "a, b"),
        ("{{resolve:ssm-secure:/app/password}}", "correct horse"),
        ("{{resolve:secretsmanager:app/db:SecretString:user}}", "u2"),
        ("{{resolve:secretsmanager:app/db:SecretString:user:AWSPREVIOUS}}", "u1"),
        ("{{resolve:secretsmanager:app/db::port}}", "5432"),
        ("{{resolve:secretsmanager:plain}}", "just text"),
        ("{{resolve:secretsmanager:plain:SecretString}}", "just text"),
        ("${resolve:ssm:/app/color}", "${resolve:ssm:/app/color}"),
    ],
)
def test_references_are_filled_in(stored, text, value):
    found = stored.resolve(REGION, {"a": [text, 1], "b": None})
    assert found == {"a": [value, 1], "b": None}
    is_secret = "secure" in text or "secrets" in text
    assert marked_secrets(found) == ({value} if is_secret else frozenset())
    assert json.loads(json.dumps(found)) == found
    assert value not in repr(found) or not is_secret


def test_a_secret_by_its_arn(stored):
    found = stored.resolve(REGION, f"{{{{resolve:secretsmanager:{stored.arn}:SecretString:user}}}}")
    assert isinstance(found, Secret)
    assert found.reveal() == "u2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{resolve:ssm:/gone}}", "Parameters: [ssm:/gone] cannot be found."),
        ("{{resolve:ssm:/app/color:9}}", "Parameters: [ssm:/app/color:9] cannot be found."),
        ("{{resolve:ssm:/app/color:prod}}", "Incorrect format is used in the following SSM reference: [%s]"),
        ("{{resolve:ssm-secure:/app/password:}}", "Incorrect format is used in the following SSM reference: [%s]"),
        ("{{resolve:ssm:/app/password}}", "Non-secure ssm prefix was used for secure parameter /app/password"),
        (
            "{{resolve:ssm-secure:/app/color}}",
            "Secure ssm-secure prefix was used for non-secure parameter /app/color",
        ),
        (
            "{{resolve:secretsmanager:app/db:SecretString:nothing}}",
            "Could not find a value associated with JSONKey in SecretString",
        ),
        ("{{resolve:secretsmanager:plain:SecretString:key}}", "Could not parse SecretString JSON"),
        ("{{resolve:secretsmanager:binary}}", "the secret binary is binary, and only texts can be referred to"),
    ],
)
def test_references_that_lead_nowhere(stored, text, message):
    with pytest.raises(UnresolvedReferenceError) as error:
        stored.resolve(REGION, text)
    assert str(error.value) == message.replace("%s", text)


def test_a_secret_that_is_not_there_is_told_in_the_services_words(stored):
    with pytest.raises(UnresolvedReferenceError) as error:
        stored.resolve(REGION, "{{resolve:secretsmanager:gone}}")
    said = str(error.value)
    assert said.startswith("Secrets Manager can't find the specified secret.")
    assert "(Service: AWSSecretsManager; Status Code: " in said
    assert "; Error Code: ResourceNotFoundException; Request ID: " in said


def test_versions_are_pinned(stored):
    written = {"a": "{{resolve:ssm:/app/color}}-{{resolve:ssm:/app/color:1}}", "b": "{{resolve:secretsmanager:plain}}"}
    pinned = "{{resolve:ssm:/app/color:2}}-{{resolve:ssm:/app/color:1}}"
    assert stored.pin(REGION, written) == {**written, "a": pinned}


def test_parameters(stored):
    assert stored.parameter(REGION, "/app/color:1") == StoredParameter("red", "String", 1)
    assert stored.parameter(REGION, "/app/zones").type == "StringList"
    assert stored.parameter("us-east-1", "/app/color") is None


def test_without_an_aws_every_reference_is_refused_with_the_way_out():
    nowhere = StoredValues(None)
    assert nowhere.resolve(REGION, {"a": "plain"}) == {"a": "plain"}
    for text in ("{{resolve:ssm:/a}}", "{{resolve:secretsmanager:a}}"):
        with pytest.raises(UnresolvedReferenceError, match="has no AWS to look in; start it with --aws moto"):
            nowhere.resolve(REGION, text)
    unreachable = StoredValues(AwsAccess(local_credentials, "http://127.0.0.1:9"))
    with pytest.raises(UnresolvedReferenceError, match="the secret a can't be read: Could not connect"):
        unreachable.resolve(REGION, "{{resolve:secretsmanager:a}}")
