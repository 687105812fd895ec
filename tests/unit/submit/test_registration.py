"""Registration with AWS, as far as moto goes, and our own registry for what it lacks."""

import json

import boto3
import pytest

from formwork.api.cloudformation.registry import registry_operations
from formwork.aws.moto import MotoServer
from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.extensions import ExtensionKind
from formwork.submit import RegistrationTarget, Submission, register_package
from formwork.submit.registration import UPLOAD_STACK
from formwork.submit.stacks import Clock
from support.api import serve_api
from support.registry import GUARD, SHELF, THING, hook_package, module_package, open_desk, resource_package

REGISTRY = {
    "register_type",
    "describe_type_registration",
    "set_type_default_version",
    "describe_type",
    "list_type_versions",
}
ROLE = """
Resources:
  ExecutionRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement: [{Effect: Allow, Principal: {Service: resources.cloudformation.amazonaws.com}, Action: sts:AssumeRole}]
Outputs:
  ExecutionRoleArn: {Value: !GetAtt ExecutionRole.Arn}
"""


class Mixed:
    """CloudFormation as two clients have it together: the registry's operations are ours, stacks are moto's.

    `calls` are the operations with their arguments.
    """

    def __init__(self, registry, stacks):
        self._registry = registry
        self._stacks = stacks
        self.calls = []

    def __getattr__(self, name):
        found = getattr(self._registry if name in REGISTRY else self._stacks, name)
        if not callable(found) or name == "exceptions":
            return found

        def call(**arguments):
            self.calls.append((name, arguments))
            return found(**arguments)

        return call

    def named(self, name):
        return [arguments for called, arguments in self.calls if called == name]


def hurry():
    """Return a clock that waits for nothing, and lets time pass all the same."""
    time = iter(range(0, 10**9, 100))
    return Clock(now=lambda: float(next(time)), sleep=lambda seconds: None)


@pytest.fixture(scope="module")
def moto():
    server = MotoServer({})
    yield server
    server.close()


class Uploaded:
    """The objects of a bucket of moto's, by URL."""

    def __init__(self, s3):
        self._s3 = s3

    def __contains__(self, url):
        return url.startswith("s3://")

    def __getitem__(self, url):
        bucket, _, key = url.removeprefix("s3://").partition("/")
        return self._s3.get_object(Bucket=bucket, Key=key)["Body"].read()


@pytest.fixture
def aws(moto, tmp_path):
    moto.reset()
    where = {"region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
    clients = {name: boto3.client(name, endpoint_url=moto.url, **where) for name in ("cloudformation", "s3", "sts")}
    desk = open_desk(tmp_path / "state")
    desk.storage.objects = Uploaded(clients["s3"])
    with serve_api(tmp_path, operations=registry_operations(desk.registry)) as served:
        mixed = Mixed(served.client("cloudformation", account="111111111111"), clients["cloudformation"])
        yield RegistrationTarget(mixed, clients["s3"], clients["sts"], local=False)
    desk.close()


def submission(tmp_path, content=None, *, kind=ExtensionKind.RESOURCE, name=THING, role=ROLE, **more):
    package = tmp_path / "package.zip"
    package.write_bytes(content or resource_package(name))
    said = []
    if role is not None:
        more["role_template"] = tmp_path / "resource-role.yaml"
        more["role_template"].write_text(role, encoding="utf-8")
    hyphenated = name.replace("::", "-").lower()
    made = Submission(
        kind=kind, type_name=name, hyphenated_name=hyphenated, package=package, say=said.append, clock=hurry(), **more
    )
    return made, said


def test_a_resource_type_with_its_role(aws, tmp_path):
    made, said = submission(tmp_path)
    tokens = []
    done = register_package(aws, made, started=tokens.append)
    assert (tokens, done.version) == ([done.token], "00000001")
    assert done.type_arn == "arn:aws:cloudformation:us-east-1:111111111111:type/resource/Acme-Store-Thing"
    [request] = aws.cloudformation.named("register_type")
    assert request["ExecutionRoleArn"].startswith("arn:aws:iam::123456789012:role/acme-store-thing-role-stack-")
    assert request["LoggingConfig"]["LogGroupName"] == "acme-store-thing-logs"
    assert request["LoggingConfig"]["LogRoleArn"].startswith(f"arn:aws:iam::123456789012:role/{UPLOAD_STACK}-")
    assert request["SchemaHandlerPackage"].startswith("s3://")
    assert "/acme-store-thing-20" in request["SchemaHandlerPackage"]
    made_stacks = aws.cloudformation.named("create_stack")
    assert [each["StackName"] for each in made_stacks] == ["acme-store-thing-role-stack", UPLOAD_STACK]
    assert all(
        each["EnableTerminationProtection"] and each["Capabilities"] == ["CAPABILITY_IAM"] for each in made_stacks
    )
    assert said[:2] == ["creating the stack acme-store-thing-role-stack", f"creating the stack {UPLOAD_STACK}"]


def test_the_second_time_stacks_are_brought_up_to_date_and_the_default_is_set(aws, tmp_path):
    register_package(aws, submission(tmp_path)[0])
    changed = ROLE.replace("Resources:", "Description: changed\nResources:")
    made, said = submission(tmp_path, role=changed, set_default=True)
    assert register_package(aws, made).version == "00000002"
    assert "updating the stack acme-store-thing-role-stack" in said
    described = aws.cloudformation.describe_type(Type="RESOURCE", TypeName=THING)
    assert described["DefaultVersionId"] == "00000002"
    listed = aws.cloudformation.list_type_versions(Type="RESOURCE", TypeName=THING)["TypeVersionSummaries"]
    assert [each["VersionId"] for each in listed] == ["00000001", "00000002"]


def test_a_role_that_is_given_needs_no_stack(aws, tmp_path):
    made, _ = submission(tmp_path, role_arn="arn:aws:iam::123456789012:role/Mine")
    register_package(aws, made)
    [request] = aws.cloudformation.named("register_type")
    assert request["ExecutionRoleArn"] == "arn:aws:iam::123456789012:role/Mine"
    assert [each["StackName"] for each in aws.cloudformation.named("create_stack")] == [UPLOAD_STACK]


@pytest.mark.parametrize(
    ("name", "kind", "content"),
    [(GUARD, ExtensionKind.HOOK, hook_package()), (SHELF, ExtensionKind.MODULE, module_package())],
)
def test_hooks_and_modules_without_a_role(aws, tmp_path, *, name, kind, content):
    made, _ = submission(tmp_path, content, kind=kind, name=name, role=None)
    done = register_package(aws, made)
    assert done.version == "00000001"
    [request] = aws.cloudformation.named("register_type")
    assert "ExecutionRoleArn" not in request
    assert request["Type"] == kind


def test_a_role_template_that_is_not_there(aws, tmp_path):
    made, _ = submission(tmp_path)
    made.role_template.unlink()
    with pytest.raises(BadInputError, match=r"resource-role\.yaml"):
        register_package(aws, made)
    assert aws.cloudformation.calls == []


def test_a_role_template_without_its_output(aws, tmp_path):
    made, _ = submission(tmp_path, role=ROLE.replace("ExecutionRoleArn: {", "Other: {"))
    with pytest.raises(EnvironmentProblemError, match='has no output "ExecutionRoleArn"'):
        register_package(aws, made)


def test_a_registration_that_fails_tells_every_reason(aws, tmp_path):
    broken = resource_package(schema={"typeName": THING, "properties": {}, "primaryIdentifier": ["/properties/X"]})
    with pytest.raises(BadInputError) as caught:
        register_package(aws, submission(tmp_path, broken, role=None)[0])
    [found] = caught.value.diagnostics
    assert found.message == f"the registration of {THING} failed"
    assert any("schema." in each for each in found.notes), found


def test_a_request_that_is_refused(aws, tmp_path):
    made, _ = submission(tmp_path, kind=ExtensionKind.MODULE, role=None)
    with pytest.raises(
        BadInputError, match=r"registering Acme::Store::Thing: (CFNRegistryException|ValidationError): "
    ):
        register_package(aws, made)


def test_nobody_there(tmp_path):
    where = {"region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
    from botocore.config import Config

    client = boto3.client(
        "cloudformation", endpoint_url="http://127.0.0.1:9", config=Config(retries={"max_attempts": 0}), **where
    )
    with pytest.raises(EnvironmentProblemError, match="nothing answers at http"):
        register_package(RegistrationTarget(client, None, None, local=False), submission(tmp_path, role=None)[0])


class Stacks:
    """CloudFormation's stacks as a script of answers."""

    class exceptions:
        class AlreadyExistsException(Exception):
            pass

    def __init__(self, *statuses, events=()):
        self.statuses = list(statuses)
        self.events = events

    def create_stack(self, **_arguments):
        return {"StackId": "arn"}

    def describe_stacks(self, **_arguments):
        return {"Stacks": [{"StackName": "s", "StackStatus": self.statuses.pop(0), "Outputs": []}]}

    def describe_stack_events(self, **_arguments):
        return {"StackEvents": self.events}


def test_a_stack_that_fails_says_why(tmp_path):
    events = [
        {
            "LogicalResourceId": "B",
            "ResourceStatus": "CREATE_FAILED",
            "ResourceStatusReason": "Resource creation cancelled",
        },
        {"LogicalResourceId": "A", "ResourceStatus": "CREATE_FAILED", "ResourceStatusReason": "no permission"},
        {"LogicalResourceId": "A", "ResourceStatus": "CREATE_IN_PROGRESS"},
    ]
    client = Stacks("CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE", events=events)
    with pytest.raises(EnvironmentProblemError, match="the stack s is ROLLBACK_COMPLETE: A: no permission"):
        register_package(RegistrationTarget(client, None, None, local=False), submission(tmp_path)[0])


def test_a_stack_that_never_ends(tmp_path):
    client = Stacks(*["CREATE_IN_PROGRESS"] * 1000)
    with pytest.raises(EnvironmentProblemError, match="is still CREATE_IN_PROGRESS after 1000 s"):
        register_package(RegistrationTarget(client, None, None, local=False), submission(tmp_path)[0])


def test_the_upload_stack_s_template_is_what_cloudformation_reads():
    from importlib.resources import files

    from formwork.documents import parse_document

    text = (files("formwork.submit") / "upload_infrastructure.yaml").read_text(encoding="utf-8")
    value = parse_document(text, name="t.yaml", short_tags=True).value
    assert set(value["Outputs"]) == {"CloudFormationManagedUploadBucketName", "LogAndMetricsDeliveryRoleArn"}
    assert "&" not in json.dumps(value), "CloudFormation reads no YAML aliases"
    assert " *" not in text.replace('"*"', "").replace("kms:*", "").replace("s3:*", "")
