"""Credentials for handlers: a role's, a session's own, or a session token's; and what is said where there are none."""

import types

import boto3
import botocore.exceptions
import pytest

from formwork.aws.credentials import local_credentials
from formwork.aws.sessions import account_of, credential_source, expect_region, open_session
from formwork.diagnostics import EnvironmentProblemError, UsageError

ROLE = "arn:aws:iam::123456789012:role/Tester"


class Sts:
    """Gives credentials that count, and remembers what it was asked."""

    def __init__(self, *, error=None):
        self.asked = []
        self.error = error

    def _give(self, name, arguments):
        if self.error:
            raise self.error
        self.asked.append((name, arguments))
        number = len(self.asked)
        return {
            "Credentials": {"AccessKeyId": f"A{number}", "SecretAccessKey": f"S{number}", "SessionToken": f"T{number}"}
        }

    def assume_role(self, **arguments):
        return self._give("assume_role", arguments)

    def get_session_token(self, **arguments):
        return self._give("get_session_token", arguments)

    def get_caller_identity(self):
        return {"Account": "210987654321"}


def session_of(sts, *, token=None):
    frozen = types.SimpleNamespace(access_key="A", secret_key="S", token=token)
    credentials = types.SimpleNamespace(get_frozen_credentials=lambda: frozen)
    return types.SimpleNamespace(client=lambda _name: sts, get_credentials=lambda: credentials)


def test_a_role_is_assumed_anew_for_each_request():
    sts = Sts()
    source = credential_source(session_of(sts), role_arn=ROLE)
    assert [source().session_token.reveal() for _ in range(2)] == ["T1", "T2"]
    name, arguments = sts.asked[0]
    assert (name, arguments["RoleArn"], arguments["DurationSeconds"]) == ("assume_role", ROLE, 900)
    assert arguments["RoleSessionName"].startswith("CloudFormationContractTest-")


def test_temporary_credentials_pass_through():
    sts = Sts()
    given = credential_source(session_of(sts, token="T"))()
    assert given.to_wire() == {"accessKeyId": "A", "secretAccessKey": "S", "sessionToken": "T"}
    assert sts.asked == []


def test_long_lived_keys_become_a_session_token():
    sts = Sts()
    assert credential_source(session_of(sts))().access_key_id == "A1"
    assert sts.asked == [("get_session_token", {"DurationSeconds": 900})]


def test_what_sts_refuses_is_the_environments_problem():
    denied = botocore.exceptions.ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "AssumeRole")
    source = credential_source(session_of(Sts(error=denied)), role_arn=ROLE)
    with pytest.raises(EnvironmentProblemError, match="AccessDenied"):
        source()
    unreachable = botocore.exceptions.EndpointConnectionError(endpoint_url="https://sts")
    with pytest.raises(EnvironmentProblemError, match="https://sts"):
        credential_source(session_of(Sts(error=unreachable)))()


@pytest.mark.parametrize("arn", ["", "Tester", "arn:aws:iam::1:role/x", "arn:aws:iam::123456789012:user/x"])
def test_what_is_no_role(arn):
    with pytest.raises(UsageError, match="not the ARN of a role"):
        credential_source(session_of(Sts()), role_arn=arn)


def test_the_account():
    assert account_of(session_of(Sts())) == "210987654321"


@pytest.fixture
def no_aws(monkeypatch, tmp_path):
    for name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.mark.usefixtures("no_aws")
def test_what_is_missing_is_named(monkeypatch):
    with pytest.raises(EnvironmentProblemError, match="nowhere"):
        open_session(profile="nowhere", region="us-east-1")
    with pytest.raises(EnvironmentProblemError, match="no AWS region"):
        open_session(profile=None, region=None)
    with pytest.raises(EnvironmentProblemError, match="no AWS credentials"):
        open_session(profile=None, region="us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    assert isinstance(open_session(profile=None, region="us-east-1"), boto3.Session)


def test_local_credentials_are_of_no_account_and_do_not_show():
    assert "formwork-local" not in repr(local_credentials())
    assert set(local_credentials().to_wire()) == {"accessKeyId", "secretAccessKey", "sessionToken"}


@pytest.mark.parametrize("name", ["no where", "us_east_1", "-x", "", "evil.example.com/", "a" * 64])
def test_what_is_no_region(name):
    with pytest.raises(UsageError, match="the region is"):
        expect_region(name)


@pytest.mark.parametrize("name", ["us-east-1", "mx-central-1", "us-gov-west-1", "local"])
def test_regions_known_or_not(name):
    expect_region(name)
