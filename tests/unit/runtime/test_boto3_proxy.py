"""AWS sessions: lazy, one machinery a process, the credentials of one invocation only in its own clients."""

import subprocess
import sys

import pytest

from cloudformation_cli_python_lib import SessionProxy
from cloudformation_cli_python_lib.boto3_proxy import _get_boto_session
from cloudformation_cli_python_lib.credentials import Credentials

boto3 = pytest.importorskip("boto3")

ONE = Credentials("AKIDONE", "secret-one", "token-one")
TWO = Credentials("AKIDTWO", "secret-two", None)


def keys_of(client):
    credentials = client._request_signer._credentials
    return credentials.access_key, credentials.secret_key, credentials.token


def test_no_credentials_no_session():
    assert _get_boto_session(None, "eu-west-1") is None


def test_clients_have_their_own_sessions_credentials_and_region():
    one, two = _get_boto_session(ONE, "eu-west-1"), _get_boto_session(TWO, "us-east-1")
    first, second = one.client("sqs"), two.client("sqs")
    assert keys_of(first) == ("AKIDONE", "secret-one", "token-one")
    assert keys_of(second) == ("AKIDTWO", "secret-two", None)
    assert (first.meta.region_name, second.meta.region_name) == ("eu-west-1", "us-east-1")
    assert keys_of(first)[0] == "AKIDONE", "a later session does not change an earlier client"


def test_a_call_may_choose_region_and_credentials():
    client = _get_boto_session(ONE, "eu-west-1").client(
        "sqs", "us-west-2", aws_access_key_id="AKIDOWN", aws_secret_access_key="own", aws_session_token="t"
    )
    assert client.meta.region_name == "us-west-2"
    assert keys_of(client) == ("AKIDOWN", "own", "t")


def test_resources_too():
    resource = _get_boto_session(ONE, "eu-west-1").resource("s3")
    assert keys_of(resource.meta.client) == ("AKIDONE", "secret-one", "token-one")


def test_the_session_itself_answers_like_one_of_boto3():
    session = _get_boto_session(ONE, "eu-west-1").session
    assert session.region_name == "eu-west-1"
    assert session.get_credentials().access_key == "AKIDONE"
    assert "sqs" in session.get_available_services()


def test_the_kept_session_has_no_credentials(monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    from cloudformation_cli_python_lib import boto3_proxy

    _get_boto_session(ONE, "eu-west-1").client("sqs")
    assert boto3_proxy._shared_session().get_credentials() is None


def test_a_new_handler_of_botocore_makes_a_new_session(monkeypatch):
    import botocore.handlers

    from cloudformation_cli_python_lib import boto3_proxy

    before = boto3_proxy._shared_session()
    assert boto3_proxy._shared_session() is before
    attached = [*botocore.handlers.BUILTIN_HANDLERS, ("before-send", lambda **_: None)]
    monkeypatch.setattr(botocore.handlers, "BUILTIN_HANDLERS", attached)
    assert boto3_proxy._shared_session() is not before


def test_a_session_of_ones_own_can_be_wrapped():
    session = boto3.Session(region_name="eu-west-1", aws_access_key_id="a", aws_secret_access_key="b")
    proxy = SessionProxy(session)
    assert proxy.session is session
    assert proxy.client("sqs").meta.region_name == "eu-west-1"


def test_without_boto3_the_use_of_the_session_says_what_to_do():
    program = (
        "import sys; sys.modules['boto3'] = None\n"
        "from cloudformation_cli_python_lib.boto3_proxy import _get_boto_session\n"
        "from cloudformation_cli_python_lib.credentials import Credentials\n"
        "session = _get_boto_session(Credentials('a', 'b', 'c'))\n"
        "try: session.client('s3')\n"
        "except ImportError as problem: print(problem)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "add boto3 to requirements.txt" in result.stdout
