"""moto's server as a process of ours."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time

import boto3
import pytest

from formwork.aws import local_credentials
from formwork.aws.moto import MotoServer
from formwork.diagnostics import EnvironmentProblemError
from support.lambdas import alive


def client(server, service):
    given = local_credentials()
    return boto3.client(
        service,
        endpoint_url=server.url,
        region_name="us-east-1",
        aws_access_key_id=given.access_key_id,
        aws_secret_access_key=given.secret_access_key.reveal(),
        aws_session_token=given.session_token.reveal(),
    )


def test_it_answers_forgets_and_ends():
    with contextlib.closing(MotoServer({"MOTO_S3_CUSTOM_ENDPOINTS": "nonsense"})) as server:
        assert server.url.startswith("http://127.0.0.1:")
        client(server, "s3").create_bucket(Bucket="library")
        assert client(server, "sts").get_caller_identity()["Account"] == "123456789012"
        assert [each["Name"] for each in client(server, "s3").list_buckets()["Buckets"]] == ["library"]
        server.reset()
        assert client(server, "s3").list_buckets()["Buckets"] == []
    with pytest.raises(EnvironmentProblemError, match="does not answer any more"):
        server.reset()


def test_a_managed_policy_of_aws_is_there_once_it_is_named_and_after_a_reset():
    arn = "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"
    with contextlib.closing(MotoServer({})) as server:
        iam = client(server, "iam")
        for _ in range(2):
            assert iam.list_policies(Scope="Local")["Policies"] == []
            iam.create_role(RoleName="reader", AssumeRolePolicyDocument='{"Version": "2012-10-17", "Statement": []}')
            iam.attach_role_policy(RoleName="reader", PolicyArn=arn)
            assert [
                each["PolicyArn"] for each in iam.list_attached_role_policies(RoleName="reader")["AttachedPolicies"]
            ] == [arn]
            assert iam.list_policies(Scope="Local")["Policies"] == []
            server.reset()
        assert iam.list_policies(Scope="AWS")["IsTruncated"]
        with pytest.raises(iam.exceptions.NoSuchEntityException):
            iam.get_policy(PolicyArn="arn:aws:iam::aws:policy/NoSuchPolicy")


OWNER = """
import time
from formwork.aws.moto import MotoServer
server = MotoServer({})
print(server.url, server._process.pid, flush=True)
time.sleep(600)
"""


def test_it_ends_when_its_owner_is_killed():
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as owner:
        url, pid = owner.stdout.readline().split()
        assert alive(int(pid))
        os.kill(owner.pid, signal.SIGKILL)
    ends = time.monotonic() + 20
    while alive(int(pid)):
        assert time.monotonic() < ends
        time.sleep(0.02)
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
    with pytest.raises(OSError):
        connection.request("GET", "/")


@pytest.mark.parametrize("module", ["moto", "flask"])
def test_where_it_is_not_installed_the_hint_says_how(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(EnvironmentProblemError, match=f"no module {module}") as caught:
        MotoServer({})
    assert caught.value.diagnostics[0].hint.startswith("install Formwork with the extra moto: pip install '.[moto]'")


def test_a_server_that_does_not_start_says_why(monkeypatch, tmp_path):
    (tmp_path / "moto").mkdir()
    (tmp_path / "moto" / "__init__.py").write_text("raise RuntimeError('half installed')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(EnvironmentProblemError, match=r"does not start: RuntimeError: half installed"):
        MotoServer({})
