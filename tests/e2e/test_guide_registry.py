"""The guide's chapters on registering and publishing, replayed with boto3 and the AWS CLI against `cfn serve`.

For a resource type, a hook and a module each, by either client: register → describe the registration until it is
complete → list types → list versions → set the default → configure → test → publish → activate → deregister.
"""

import io
import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from botocore import xform_name
from botocore.exceptions import ClientError

from support.aws_cli import AwsCli, AwsCliError
from support.commands import copy_project
from support.registry import GUARD, SHELF, THING, module_package
from support.serving import serving

AWS = Path(sys.executable).with_name("aws")
REFUSED = (ClientError, AwsCliError)


class Sdk:
    """boto3: what is registered belongs to `owner`, and `user` activates it."""

    user, region = "222222222222", "us-east-1"

    def __init__(self, server, *, owner="111111111111"):
        self.owner = owner
        self._server = server

    def call(self, operation, *, account=None, **parameters):
        client = self._server.client("cloudformation", account=account or self.owner, region=self.region)
        return getattr(client, xform_name(operation))(**parameters)

    def upload(self, content, name):
        s3 = self._server.client("s3", account=self.owner, region=self.region)
        s3.create_bucket(Bucket="guide-packages")
        s3.put_object(Bucket="guide-packages", Key=name, Body=content)
        return f"s3://guide-packages/{name}"

    def wait(self, token):
        client = self._server.client("cloudformation", account=self.owner, region=self.region)
        client.get_waiter("type_registration_complete").wait(RegistrationToken=token)

    def list_types(self, kind):
        client = self._server.client("cloudformation", account=self.owner, region=self.region)
        pages = client.get_paginator("list_types").paginate(Type=kind, PaginationConfig={"PageSize": 1})
        return [each for page in pages for each in page["TypeSummaries"]]


class Cli:
    """The AWS CLI, in accounts and a Region of its own."""

    owner, user, region = "444444444444", "555555555555", "eu-west-1"

    def __init__(self, server, folder):
        self.aws = AwsCli(server.url, folder, region=self.region)
        self._folder = folder
        self.aws.run("s3", "mb", "s3://cli-packages", account=self.owner)

    def call(self, operation, *, account=None, **parameters):
        options = [word for name, value in parameters.items() for word in self._option(name, value)]
        return self.aws.run("cloudformation", xform_name(operation, "-"), *options, account=account or self.owner)

    @staticmethod
    def _option(name, value):
        option = "--" + xform_name(name, "-")
        match value:
            case True:
                return [option]
            case str():
                return [option, value]
            case _:
                return [option, json.dumps(value)]

    def upload(self, content, name):
        (self._folder / name).write_bytes(content)
        url = f"s3://cli-packages/{name}"
        self.aws.run("s3", "cp", self._folder / name, url, "--quiet", account=self.owner)
        return url

    def wait(self, token):
        words = ("wait", "type-registration-complete", "--registration-token", token)
        self.aws.run("cloudformation", *words, account=self.owner)

    def list_types(self, kind):
        return self.call("ListTypes", Type=kind, PageSize="1")["TypeSummaries"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("guide"), forked=True) as found:
        found.client("cloudformation").list_types()
        yield found
        code, said = found.stop()
        assert code == 0
        assert "internal error" not in said
        assert "Traceback" not in said


@pytest.fixture(scope="module")
def sdk(server):
    return Sdk(server)


@pytest.fixture(scope="module")
def cli(server, tmp_path_factory):
    found = Cli(server, tmp_path_factory.mktemp("cli"))
    yield found
    found.aws.close()


@pytest.fixture(scope="module", params=["sdk", "cli"])
def client(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def thing(desk, sample_project, tmp_path_factory):
    """The sample project, configurable, as `cfn submit --dry-run` packages it."""
    root = copy_project(sample_project, tmp_path_factory.mktemp("configurable") / "thing")
    file = root / "acme-store-thing.json"
    schema = json.loads(file.read_text(encoding="utf-8"))
    properties = {"Shelf": {"type": "string"}, "ApiKey": {"type": "string"}}
    schema["typeConfiguration"] = {"properties": properties, "additionalProperties": False}
    file.write_text(json.dumps(schema, indent=4), encoding="utf-8")
    ended = desk.cfn("submit", "--dry-run", cwd=root)
    assert ended.code == 0, str(ended)
    return (root / "acme-store-thing.zip").read_bytes()


def register(client, kind, name, url):
    """Register, wait as the guide does; how long the wait was, and the answer."""
    started = time.monotonic()
    token = client.call("RegisterType", Type=kind, TypeName=name, SchemaHandlerPackage=url)["RegistrationToken"]
    client.wait(token)
    return time.monotonic() - started, client.call("DescribeTypeRegistration", RegistrationToken=token)


def await_tests(client, arn):
    end = time.monotonic() + 300
    while (found := client.call("DescribeType", Arn=arn))["TypeTestsStatus"] == "IN_PROGRESS":
        assert time.monotonic() < end
        time.sleep(0.2)
    return found["TypeTestsStatus"], found["TypeTestsStatusDescription"]


def play(client, kind, name, content, *, configuration):
    """The chapters for one extension; `configuration` None where the kind has none."""
    url = client.upload(content, f"{name.replace('::', '-')}.zip")
    seconds, first = register(client, kind, name, url)
    assert seconds < 15, "the waiters ask every 30 s"
    assert first["ProgressStatus"] == "COMPLETE"
    slug = name.replace("::", "-")
    assert first["TypeArn"] == f"arn:aws:cloudformation:{client.region}:{client.owner}:type/{kind.lower()}/{slug}"
    assert first["TypeVersionArn"] == f"{first['TypeArn']}/00000001"
    second = register(client, kind, name, url)[1]["TypeVersionArn"]
    listed = [each for each in client.list_types(kind) if each["TypeName"] == name]
    assert [each["DefaultVersionId"] for each in listed] == ["00000001"]
    versions = client.call("ListTypeVersions", Type=kind, TypeName=name)["TypeVersionSummaries"]
    assert [(each["VersionId"], each["IsDefaultVersion"]) for each in versions] == [
        ("00000001", True),
        ("00000002", False),
    ]
    client.call("SetTypeDefaultVersion", Type=kind, TypeName=name, VersionId="00000002")
    assert client.call("DescribeType", Type=kind, TypeName=name)["DefaultVersionId"] == "00000002"
    configure(client, kind, name, configuration)
    client.call("TestType", Arn=second)
    assert await_tests(client, second)[0] == "PASSED", await_tests(client, second)
    client.call("RegisterPublisher", AcceptTermsAndConditions=True)
    public = client.call("PublishType", Type=kind, TypeName=name)["PublicTypeArn"]
    activated = activate(client, public, name)
    assert activated.startswith(f"arn:aws:cloudformation:{client.region}:{client.user}:type/{kind.lower()}/")
    with pytest.raises(REFUSED, match="is the default version and cannot be deregistered"):
        client.call("DeregisterType", Arn=second)
    with pytest.raises(REFUSED, match="more than one active version"):
        client.call("DeregisterType", Type=kind, TypeName=name)
    client.call("DeregisterType", Type=kind, TypeName=name, VersionId="00000001")
    client.call("DeregisterType", Type=kind, TypeName=name)
    assert not [each for each in client.list_types(kind) if each["TypeName"] == name]


def configure(client, kind, name, configuration):
    wanted = {"Type": kind, "TypeName": name, "Configuration": json.dumps(configuration or {})}
    if configuration is None:
        with pytest.raises(REFUSED, match="Modules have no configuration"):
            client.call("SetTypeConfiguration", **wanted)
        return
    assert client.call("SetTypeConfiguration", **wanted)["ConfigurationArn"].endswith("/default")
    types = [{"Type": kind, "TypeName": name}]
    found = client.call("BatchDescribeTypeConfigurations", TypeConfigurationIdentifiers=types)
    assert [each["TypeName"] for each in found["TypeConfigurations"]] == [name]
    assert "canary" not in str(found)


def activate(client, public, name):
    """Another account activates what was published; the ARN that it has there."""
    arn = client.call("ActivateType", PublicTypeArn=public, account=client.user)["Arn"]
    activated = {"Filters": {"Category": "ACTIVATED"}, "account": client.user}
    [found] = client.call("ListTypes", **activated)["TypeSummaries"]
    assert (found["TypeName"], found["IsActivated"]) == (name, True)
    client.call("DeactivateType", Arn=arn, account=client.user)
    assert client.call("ListTypes", **activated)["TypeSummaries"] == []
    return arn


def test_a_resource_type(client, thing):
    play(client, "RESOURCE", THING, thing, configuration={"Shelf": "top", "ApiKey": "canary-4711"})


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


def test_a_hook(client, guard):
    configuration = {"CloudFormationConfiguration": {"HookConfiguration": HOOK_SETTINGS}}
    play(client, "HOOK", GUARD, guard, configuration=configuration)


def test_a_module(client):
    play(client, "MODULE", SHELF, module_package(), configuration=None)


def test_the_aws_command_itself(cli):
    """The script that users start says what its entry point says."""
    environment = {**cli.aws.environment, "AWS_ACCESS_KEY_ID": cli.owner}
    done = subprocess.run(
        [AWS, "sts", "get-caller-identity"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["Account"] == cli.owner
    assert found == cli.aws.run("sts", "get-caller-identity", account=cli.owner)


def test_contract_tests_that_fail_are_told_and_their_logs_delivered(server, thing):
    client = Sdk(server, owner="333333333333")
    s3 = server.client("s3", account="333333333333")
    s3.create_bucket(Bucket="proof-logs")
    s3.put_object(Bucket="proof-logs", Key="thing.zip", Body=spoiled(thing))
    register(client, "RESOURCE", THING, "s3://proof-logs/thing.zip")
    arn = client.call("TestType", Type="RESOURCE", TypeName=THING, LogDeliveryBucket="proof-logs")["TypeVersionArn"]
    status, description = await_tests(client, arn)
    assert status == "FAILED"
    assert "✗ create.applied           violated" in description
    assert "clauses: " in description
    with pytest.raises(ClientError, match="CFNRegistryException"):
        client.call("PublishType", Type="RESOURCE", TypeName=THING)
    [found] = s3.list_objects_v2(Bucket="proof-logs", Prefix="CloudFormation/ContractTestResults/")["Contents"]
    content = s3.get_object(Bucket="proof-logs", Key=found["Key"])["Body"].read()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "report.txt" in archive.namelist()
        assert b"violation 1" in archive.read("report.txt")
        assert b"asked for CREATE" in archive.read("handlers.log")


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
            "    print('asked for', event['action'])\n"
            "    return {'status': 'SUCCESS', 'resourceModel': event['requestData']['resourceProperties'], 'message': ''}\n",
        )
    members["ResourceProvider.zip"] = inner.getvalue()
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return outer.getvalue()
