"""The guide's chapters on registering and publishing, replayed with boto3 and the AWS CLI against `cfn serve`.

For a resource type, a hook and a module each: register → describe the registration until it is complete → list types →
list versions → set the default → configure → test → publish → activate → deregister.
"""

import io
import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from support.registry import GUARD, SHELF, hook_package, module_package
from support.serving import Server, serving

AWS = Path(sys.executable).with_name("aws")
OWNER, USER = "111111111111", "222222222222"
CONFIGURED = "Acme::Store::Thing"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("guide")) as found:
        found.client("cloudformation").list_types()
        yield found
        code, said = found.stop()
        assert code == 0
        assert "internal error" not in said
        assert "Traceback" not in said


@pytest.fixture(scope="module")
def thing(desk, sample_project):
    """The sample project as `cfn submit --dry-run` packages it."""
    ended = desk.cfn("submit", "--dry-run", cwd=sample_project)
    assert ended.code == 0, str(ended)
    return (sample_project / "acme-store-thing.zip").read_bytes()


def upload(server, content, key):
    s3 = server.client("s3")
    s3.create_bucket(Bucket="guide-packages")
    s3.put_object(Bucket="guide-packages", Key=key, Body=content)
    return f"s3://guide-packages/{key}"


def register(server, kind, name, url):
    """Register, wait as the guide does; how long the wait was, and the answer."""
    client = server.client("cloudformation")
    started = time.monotonic()
    token = client.register_type(Type=kind, TypeName=name, SchemaHandlerPackage=url)["RegistrationToken"]
    client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    return time.monotonic() - started, client.describe_type_registration(RegistrationToken=token)


def await_tests(client, arn):
    end = time.monotonic() + 90
    while (found := client.describe_type(Arn=arn))["TypeTestsStatus"] == "IN_PROGRESS":
        assert time.monotonic() < end
        time.sleep(0.2)
    return found["TypeTestsStatus"], found["TypeTestsStatusDescription"]


def play(server, kind, name, content, *, configuration=None):
    """The chapters for one extension."""
    client = server.client("cloudformation")
    url = upload(server, content, f"{name.replace('::', '-')}.zip")
    seconds, first = register(server, kind, name, url)
    assert seconds < 10, "botocore asks every 30 s"
    assert first["ProgressStatus"] == "COMPLETE"
    assert first["TypeVersionArn"] == f"{first['TypeArn']}/00000001"
    second = register(server, kind, name, url)[1]["TypeVersionArn"]
    pages = client.get_paginator("list_types").paginate(Type=kind, PaginationConfig={"PageSize": 1})
    listed = [each for page in pages for each in page["TypeSummaries"] if each["TypeName"] == name]
    assert [each["DefaultVersionId"] for each in listed] == ["00000001"]
    versions = client.list_type_versions(Type=kind, TypeName=name)["TypeVersionSummaries"]
    assert [(each["VersionId"], each["IsDefaultVersion"]) for each in versions] == [
        ("00000001", True),
        ("00000002", False),
    ]
    client.set_type_default_version(Type=kind, TypeName=name, VersionId="00000002")
    assert client.describe_type(Type=kind, TypeName=name)["DefaultVersionId"] == "00000002"
    if configuration is not None:
        client.set_type_configuration(Type=kind, TypeName=name, Configuration=json.dumps(configuration))
        wanted = [{"Type": kind, "TypeName": name}]
        found = client.batch_describe_type_configurations(TypeConfigurationIdentifiers=wanted)
        assert [each["TypeName"] for each in found["TypeConfigurations"]] == [name]
    client.test_type(Arn=second)
    assert await_tests(client, second)[0] == "PASSED", await_tests(client, second)
    client.register_publisher(AcceptTermsAndConditions=True)
    public = client.publish_type(Type=kind, TypeName=name)["PublicTypeArn"]
    activated = activate(server, public, name)
    assert activated.startswith(f"arn:aws:cloudformation:us-east-1:{USER}:type/{kind.lower()}/")
    with pytest.raises(ClientError, match="is the default version and cannot be deregistered"):
        client.deregister_type(Arn=second)
    with pytest.raises(ClientError, match="more than one active version"):
        client.deregister_type(Type=kind, TypeName=name)
    client.deregister_type(Type=kind, TypeName=name, VersionId="00000001")
    client.deregister_type(Type=kind, TypeName=name)
    assert not [each for each in client.list_types(Type=kind)["TypeSummaries"] if each["TypeName"] == name]


def activate(server, public, name):
    """Another account activates what was published; the ARN that it has there."""
    other = server.client("cloudformation", account=USER)
    arn = other.activate_type(PublicTypeArn=public)["Arn"]
    [found] = other.list_types(Filters={"Category": "ACTIVATED"})["TypeSummaries"]
    assert (found["TypeName"], found["IsActivated"]) == (name, True)
    other.deactivate_type(Arn=arn)
    assert other.list_types(Filters={"Category": "ACTIVATED"})["TypeSummaries"] == []
    return arn


def test_a_resource_type(server, thing):
    play(server, "RESOURCE", "Acme::Store::Thing", thing)


@pytest.fixture(scope="module")
def guard(desk, tmp_path_factory):
    """A hook project as `cfn init --sample` makes it, packaged."""
    root = tmp_path_factory.mktemp("guard")
    ended = desk.cfn("init", "-a", "HOOK", "-t", GUARD, "--sample", "python311", "--no-docker", cwd=root)
    assert ended.code == 0, str(ended)
    ended = desk.cfn("submit", "--dry-run", cwd=root)
    assert ended.code == 0, str(ended)
    return (root / "acme-store-guard.zip").read_bytes()


HOOK_SETTINGS = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}


def test_a_hook(server, guard):
    configuration = {"CloudFormationConfiguration": {"HookConfiguration": HOOK_SETTINGS}}
    play(server, "HOOK", GUARD, guard, configuration=configuration)


def test_a_module(server):
    play(server, "MODULE", SHELF, module_package())


def test_contract_tests_that_fail_are_told_and_their_logs_delivered(server, thing):
    client = server.client("cloudformation", account="333333333333")
    s3 = server.client("s3", account="333333333333")
    s3.create_bucket(Bucket="proof-logs")
    s3.put_object(Bucket="proof-logs", Key="thing.zip", Body=spoiled(thing))
    token = client.register_type(
        Type="RESOURCE", TypeName="Acme::Store::Thing", SchemaHandlerPackage="s3://proof-logs/thing.zip"
    )["RegistrationToken"]
    client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    arn = client.test_type(Type="RESOURCE", TypeName="Acme::Store::Thing", LogDeliveryBucket="proof-logs")[
        "TypeVersionArn"
    ]
    status, description = await_tests(client, arn)
    assert status == "FAILED"
    assert "✗ create.applied           violated" in description
    assert "clauses: " in description
    with pytest.raises(ClientError, match="CFNRegistryException"):
        client.publish_type(Type="RESOURCE", TypeName="Acme::Store::Thing")
    [found] = s3.list_objects_v2(Bucket="proof-logs", Prefix="CloudFormation/ContractTestResults/")["Contents"]
    content = s3.get_object(Bucket="proof-logs", Key=found["Key"])["Body"].read()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "report.txt" in archive.namelist()
        assert b"violation 1" in archive.read("report.txt")


def spoiled(package):
    """The package with handlers that say success to everything, and do nothing."""
    members = {}
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("acme_store_thing/__init__.py", "")
        archive.writestr(
            "acme_store_thing/handlers.py",
            "def resource(event, context):\n"
            "    return {'status': 'SUCCESS', 'resourceModel': event['requestData']['resourceProperties'], 'message': ''}\n",
        )
    members["ResourceProvider.zip"] = inner.getvalue()
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return outer.getvalue()


class Cli:
    """The AWS CLI, pointed at the server."""

    def __init__(self, server: Server, home):
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "AWS_ENDPOINT_URL": server.url,
            "AWS_ACCESS_KEY_ID": "444444444444",
            "AWS_SECRET_ACCESS_KEY": "x",
            "AWS_DEFAULT_REGION": "eu-west-1",
        }

    def run(self, *words):
        done = subprocess.run(
            [AWS, "--output", "json", *map(str, words)],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.startswith(("{", "[")) else done.stdout


def test_the_aws_cli(server, tmp_path):
    """The guide's commands for a hook, as they stand there."""
    (tmp_path / "guard.zip").write_bytes(hook_package())
    cli = Cli(server, tmp_path)
    cli.run("s3", "mb", "s3://cli-packages")
    cli.run("s3", "cp", tmp_path / "guard.zip", "s3://cli-packages/guard.zip", "--quiet")
    url = "s3://cli-packages/guard.zip"
    token = cli.run(
        "cloudformation", "register-type", "--type", "HOOK", "--type-name", GUARD, "--schema-handler-package", url
    )["RegistrationToken"]
    started = time.monotonic()
    cli.run("cloudformation", "wait", "type-registration-complete", "--registration-token", token)
    assert time.monotonic() - started < 15, "the waiter asks every 30 s"
    done = cli.run("cloudformation", "describe-type-registration", "--registration-token", token)
    assert done["ProgressStatus"] == "COMPLETE"
    assert done["TypeArn"] == "arn:aws:cloudformation:eu-west-1:444444444444:type/hook/Acme-Store-Guard"
    configuration = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": HOOK_SETTINGS}})
    found = cli.run(
        "cloudformation", "set-type-configuration", "--configuration", configuration, "--type-arn", done["TypeArn"]
    )
    assert found["ConfigurationArn"].endswith("/default")
    listed = cli.run("cloudformation", "list-types", "--type", "HOOK", "--visibility", "PRIVATE")
    assert [each["TypeName"] for each in listed["TypeSummaries"]] == [GUARD]
    cli.run("cloudformation", "deregister-type", "--type-name", GUARD, "--type", "HOOK")
    assert cli.run("sts", "get-caller-identity")["Account"] == "444444444444"
