"""A registered version of a type by DescribeType: a real boto3 client against an HTTP server with our wire codecs."""

import sys

import pytest

from formwork.api.wire import ApiError
from formwork.aws.clients import open_client
from formwork.aws.registered_types import describe_schema, parse_registered_type
from formwork.diagnostics import BadInputError, EnvironmentProblemError, UsageError
from support.describe_type import serve_types

ARN = "arn:aws:cloudformation:eu-west-1:123456789012:type/resource/Acme-Store-Thing/00000002"


@pytest.fixture(autouse=True)
def _nobody(monkeypatch, tmp_path):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))


def describe(text, answers):
    with serve_types(answers) as (url, seen):
        client = open_client("cloudformation", endpoint=url, profile=None, region=None)
        return describe_schema(client, parse_registered_type(text)), seen


@pytest.mark.parametrize(
    ("text", "key", "asked"),
    [
        (
            "registry:Acme::Store::Thing",
            ("Acme::Store::Thing", None),
            {"TypeName": "Acme::Store::Thing", "Type": "RESOURCE"},
        ),
        (
            "registry:Acme::Store::Thing@3",
            ("Acme::Store::Thing", "00000003"),
            {"TypeName": "Acme::Store::Thing", "Type": "RESOURCE", "VersionId": "00000003"},
        ),
        (ARN, (ARN, None), {"Arn": ARN}),
    ],
)
def test_a_version_is_described(text, key, asked):
    schema, seen = describe(text, {key: {"Schema": '{"typeName": "Ä"}', "TypeName": "Acme::Store::Thing"}})
    assert schema == '{"typeName": "Ä"}'
    assert [each[:2] for each in seen] == [("DescribeType", asked)]
    assert "/us-east-1/cloudformation/aws4_request" in seen[0][2]  # signed, with placeholders


@pytest.mark.parametrize(
    "text", ["registry:", "registry:Thing", "registry:A::B::C@x", "registry:A::B::C@", "arn:aws:s3:::x"]
)
def test_what_names_no_type(text):
    with pytest.raises(UsageError, match=r"not a registered type|not the ARN"):
        parse_registered_type(text)


@pytest.mark.parametrize("text", ["old.json", "main", "Acme::Store::Thing", "registry"])
def test_what_is_something_else(text):
    assert parse_registered_type(text) is None


def test_a_type_that_is_not_there():
    with pytest.raises(BadInputError, match="no such type"):
        describe("registry:Acme::Store::Thing", {})


@pytest.mark.parametrize(
    ("text", "kind", "options"),
    [
        ("registry:Acme::Store::Thing@3", "RESOURCE", "--type RESOURCE --type-name Acme::Store::Thing"),
        ("registry:Acme::Store::Guard", "HOOK", "--type HOOK --type-name Acme::Store::Guard"),
        (ARN, "RESOURCE", f"--arn {ARN.removesuffix('/00000002')}"),
        (ARN.removesuffix("/00000002"), "RESOURCE", f"--arn {ARN.removesuffix('/00000002')}"),
        (f"{ARN};x", "RESOURCE", f"--arn '{ARN};x'"),
    ],
)
def test_the_advice_is_a_whole_command(text, kind, options):
    wanted = parse_registered_type(text, kind=kind)
    with serve_types({}) as (url, _), pytest.raises(BadInputError) as refused:
        describe_schema(open_client("cloudformation", endpoint=url, profile=None, region=None), wanted)
    assert f"`aws cloudformation list-type-versions {options}` lists" in refused.value.diagnostics[0].hint


def test_a_type_without_a_schema():
    with pytest.raises(BadInputError, match="keeps no schema"):
        describe("registry:Acme::Store::Thing", {("Acme::Store::Thing", None): {"TypeName": "Acme::Store::Thing"}})


def test_a_refusal():
    refused = ApiError("AccessDenied", "not you", status=403)
    with pytest.raises(EnvironmentProblemError, match="not you"):
        describe("registry:Acme::Store::Thing", {("Acme::Store::Thing", None): refused})


def test_nobody_there():
    with serve_types({}) as (url, _):
        pass
    client = open_client("cloudformation", endpoint=url, profile=None, region="eu-west-1")
    with pytest.raises(EnvironmentProblemError, match="cannot be asked"):
        describe_schema(client, parse_registered_type("registry:Acme::Store::Thing"))


@pytest.mark.parametrize("endpoint", ["localhost:3001", "ftp://127.0.0.1", "http://"])
def test_no_endpoint(endpoint):
    with pytest.raises(UsageError, match="endpoint"):
        open_client("cloudformation", endpoint=endpoint, profile=None, region=None)


def test_elsewhere_credentials_are_the_users_or_none():
    for endpoint in (None, "https://cloudformation.example.com"):
        with pytest.raises(EnvironmentProblemError, match="no AWS credentials"):
            open_client("cloudformation", endpoint=endpoint, profile=None, region="eu-west-1")
    with pytest.raises(EnvironmentProblemError, match="could not be found"):
        open_client("cloudformation", endpoint="http://127.0.0.1:1", profile="gone", region=None)


def test_the_users_credentials_sign_for_a_local_endpoint_too(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAOWN")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    _, seen = describe("registry:A1::B1::C1", {("A1::B1::C1", None): {"Schema": "{}"}})
    assert "Credential=AKIAOWN/" in seen[0][2]


def test_without_boto3(monkeypatch):
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(EnvironmentProblemError, match="boto3 is not installed"):
        open_client("cloudformation", endpoint="http://127.0.0.1:1", profile=None, region=None)
