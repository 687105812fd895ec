"""Projects, packages and moto behind the fixture; what handlers reach; and how their failures are replayed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import boto3
import pytest

from formwork import package
from formwork.diagnostics import FormworkError, UsageError
from formwork.testing import AcceptanceFailure
from support.commands import CFN
from support.corpus import REPOSITORY

TABLES = REPOSITORY / "examples" / "sqlite-table"
TEMPLATE = """
Parameters: {Name: {Type: String, Default: books}}
Resources:
  Books:
    Type: Acme::SQLite::Table
    Properties: {DatabaseName: shop, TableName: !Ref Name, Columns: [{Name: isbn, Type: TEXT}]}
"""


@pytest.fixture
def configuration(tmp_path):
    return {"DataFolder": str(tmp_path / "data")}


@pytest.mark.parametrize("in_process", [False, True])
def test_a_project(cloudformation, configuration, in_process):
    registered = cloudformation.register(TABLES, configuration=configuration, in_process=in_process)
    assert (str(registered), registered.version) == ("Acme::SQLite::Table", "00000001")
    shop = cloudformation.deploy(TEMPLATE)
    assert shop.resources["Books"].properties["TableName"] == "books"


def test_a_package(cloudformation, configuration, tmp_path):
    path = package.build_package(TABLES, tmp_path / "table.zip", cache=tmp_path).path
    for given in (path, path.read_bytes()):
        cloudformation.register(given, configuration=configuration)
    cloudformation.deploy(TEMPLATE)


def test_what_is_not_an_extension_is_refused(cloudformation, tmp_path):
    with pytest.raises(UsageError, match="is not a file or a folder"):
        cloudformation.register(tmp_path / "nothing")
    with pytest.raises(UsageError, match="neither a resource type nor a hook"):
        cloudformation.register(object())
    with pytest.raises(FormworkError):
        cloudformation.register(tmp_path)


def test_a_failure_is_replayed_by_its_command(cloudformation, configuration, tmp_path):
    cloudformation.register(TABLES, configuration=configuration)
    shop = cloudformation.deploy(TEMPLATE)
    shop.expect_in_place("Books")
    with pytest.raises(AcceptanceFailure) as failed:
        shop.update(parameters={"Name": "novels"})
    (command,) = re.findall(r"cd \S+ && cfn invoke .*", str(failed.value))
    assert f"cd {TABLES} && cfn invoke resource CREATE {tmp_path}" in command
    paths = f"{CFN.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": paths, "SQLITE_DATA_FOLDER": str(tmp_path / "replayed")}
    done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    assert '"resourceModel"' in done.stdout


def test_handlers_and_programs_reach_the_account(cloudformation):
    code = "import os\ndef handle(event, context):\n    return [os.environ['AWS_ACCESS_KEY_ID'], os.environ['AWS_REGION']]\n"
    role = {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": []}}}
    function = {
        "Type": "AWS::Lambda::Function",
        "Properties": {
            "Code": {"ZipFile": code},
            "Handler": "index.handle",
            "Runtime": f"python3.{sys.version_info.minor}",
            "Role": {"Fn::GetAtt": ["Role", "Arn"]},
        },
    }
    shop = cloudformation.deploy({"Resources": {"Show": function, "Role": role}}, stack="shop")
    answer = boto3.client("lambda").invoke(FunctionName=shop.resources["Show"].physical_id, Payload=b"{}")
    assert answer["Payload"].read().decode() == f'["{cloudformation.account}", "us-east-1"]'
    aws = [
        Path(sys.executable).with_name("aws"),
        "cloudformation",
        "list-stacks",
        "--query",
        "StackSummaries[].StackName",
    ]
    listed = subprocess.run([*aws, "--output", "text"], capture_output=True, text=True, check=True)
    assert listed.stdout.split() == ["shop"]


@pytest.mark.cloudformation(aws="moto")
@pytest.mark.parametrize("run", [1, 2])
def test_moto_has_what_the_stack_creates_and_is_empty_for_each_test(cloudformation, run):
    pytest.importorskip("moto")
    assert boto3.client("sqs").list_queues().get("QueueUrls", []) == []
    queue = {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": "orders"}}
    shop = cloudformation.deploy({"Resources": {"Orders": queue}, "Outputs": {"Url": {"Value": {"Ref": "Orders"}}}})
    boto3.client("sqs").send_message(QueueUrl=shop.outputs["Url"], MessageBody="one book")
    boto3.client("sqs").create_queue(QueueName="left")


@pytest.mark.cloudformation(aws="moto")
def test_handlers_reach_moto_and_the_stacks(cloudformation):
    assert os.environ["AWS_ENDPOINT_URL"] != os.environ["AWS_ENDPOINT_URL_CLOUDFORMATION"]
    assert cloudformation.variables["AWS_ENDPOINT_URL_CLOUDFORMATION"] == cloudformation.endpoint_url


@pytest.mark.cloudformation(aws="moto")
def test_what_moto_cannot_read_is_deployed_and_deleted(cloudformation):
    """The schema of the function has a READ handler; Cloud Control over moto has none."""
    role = {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": []}}}
    code = {"ZipFile": "def handle(event, context): pass\n"}
    properties = {"Code": code, "Handler": "index.handle", "Runtime": "python3.12", "Role": {"Fn::GetAtt": "Role.Arn"}}
    function = {"Type": "AWS::Lambda::Function", "Properties": properties}
    shop = cloudformation.deploy({"Resources": {"Show": function, "Role": role}}, stack="shop")
    with pytest.raises(KeyError, match="Cloud Control can't read AWS::Lambda::Function"):
        shop.resources["Show"].properties  # noqa: B018 - reads
    shop.delete()


def test_guard_rules_are_a_hook(cloudformation, tmp_path):
    pytest.importorskip("cloudformation_validate")
    topics = "let topics = Resources.*[ Type == 'AWS::SNS::Topic' ]\n"
    (tmp_path / "named-topics.guard").write_text(
        topics + "rule NAMED when %topics !empty { %topics.Properties.DisplayName exists }\n"
    )
    named = cloudformation.register(tmp_path / "named-topics.guard")
    assert str(named) == "Private::Guard::NamedTopics"
    nameless = {"Resources": {"News": {"Type": "AWS::SNS::Topic"}}}
    cloudformation.expect_refused(by=named, match="NAMED")
    cloudformation.deploy(nameless, stack="nameless")
    cloudformation.deploy({"Resources": {"News": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": "a"}}}})
    (tmp_path / "named-topics.guard").write_text(topics + "rule NAMED when %topics !empty { %topics.Nothing exists\n")
    with pytest.raises(FormworkError):
        cloudformation.register(tmp_path)


@pytest.mark.parametrize("given", [{"typeName": "Acme::Web::Thing"}, b"", __file__, type("Thing", (), {})])
def test_arguments_that_an_extension_cannot_use_are_refused(cloudformation, given):
    with pytest.raises(UsageError, match="in_process= is only for the folder of a project"):
        cloudformation.register(given, in_process=True)
    with pytest.raises(UsageError, match="schema= is only for the entry point"):
        cloudformation.register(given, schema={})
