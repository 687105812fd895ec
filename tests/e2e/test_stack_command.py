"""`cfn stack`: deploy, diff, drift and delete, as a user types them."""

import json
import os
import signal
import subprocess

import pytest

from support.commands import CFN
from support.registry import THING, resource_package, resource_schema
from support.serving import register, serving

TEMPLATE = """
Parameters:
  Name: {Type: String, Default: one}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref Name}}
  Parameter: {Type: AWS::SSM::Parameter, Properties: {Type: String, Value: !GetAtt Topic.TopicName}}
Outputs:
  Topic: {Value: !GetAtt Topic.TopicName}
"""
STACK = "AWS::CloudFormation::Stack"

# A type that takes a second to make.
SLOW = """
def resource(event, context):
    model = event["requestData"]["resourceProperties"]
    if event["action"] == "CREATE" and not event["callbackContext"]:
        return {"status": "IN_PROGRESS", "resourceModel": model, "callbackContext": {"n": 1}, "callbackDelaySeconds": 1}
    return {"status": "SUCCESS", "resourceModel": model}
"""


class Command:
    """`cfn stack` in a folder, against a server."""

    def __init__(self, url, folder, environment):
        self.url = url
        self._given = {"cwd": folder, "env": {**os.environ, **environment}, "text": True}

    def __call__(self, *words, url=None):
        return subprocess.run(self._words(words, url), capture_output=True, check=False, **self._given)

    def begin(self, *words):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(self._words(words, None), **pipes, **self._given)

    def _words(self, words, url):
        return [CFN, "stack", *words, "--endpoint-url", url or self.url, "--region", "us-east-1"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("stacks"), forked=True) as running:
        yield running


@pytest.fixture
def stack(server, tmp_path):
    (tmp_path / "template.yml").write_text(TEMPLATE)
    credentials = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "x", "NO_COLOR": "1"}

    return Command(server.url, tmp_path, credentials)


def test_a_stack_from_the_command_line(stack, tmp_path):
    compared = stack("diff", "shop", "template.yml")
    assert (compared.returncode, compared.stdout.splitlines()) == (
        1,
        ["Add Parameter (AWS::SSM::Parameter)", "Add Topic (AWS::SNS::Topic)"],
    )
    made = stack("deploy", "shop", "template.yml")
    assert (made.returncode, made.stdout.splitlines()) == (0, ["shop: CREATE_COMPLETE", "Topic = one"]), made.stderr
    assert "Topic  CREATE_COMPLETE  AWS::SNS::Topic" in made.stderr
    assert stack("deploy", "shop", "template.yml").stdout == "shop already matches the template\n"
    assert stack("drift", "shop").returncode == 0

    changed = stack("diff", "shop", "template.yml", "--parameter", "Name=two")
    assert changed.returncode == 1
    assert (
        'Modify Topic (AWS::SNS::Topic), replacement: True\n    /Properties/TopicName: "one" → "two"' in changed.stdout
    )
    assert "Topic = two" in stack("deploy", "shop", "template.yml", "--parameter", "Name=two").stdout
    assert "shop   UPDATE_COMPLETE" in stack("list").stdout
    assert stack("events", "shop").stdout.count("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS") == 1

    assert stack("outputs", "shop").stdout == "Topic = two\n"
    assert json.loads(stack("outputs", "shop", "--format", "json").stdout) == {"Topic": "two"}
    listed = stack("resources", "shop").stdout.splitlines()
    assert [line.split()[::2] for line in listed] == [
        ["LOGICAL", "PHYSICAL", "TYPE"],
        ["Parameter", "AWS::SSM::Parameter"],
        ["Topic", "AWS::SNS::Topic"],
    ]
    found = json.loads(stack("resources", "shop", "--format", "json").stdout)
    assert {each["logicalId"]: each["status"] for each in found}["Topic"] == "UPDATE_COMPLETE"
    described = stack("describe", "shop").stdout
    assert "status:      UPDATE_COMPLETE\n" in described
    assert "parameters:\n    Name = two\n" in described
    assert "outputs:\n    Topic = two\n" in described
    assert "AWS::SNS::Topic: UPDATE_COMPLETE" in described
    assert json.loads(stack("describe", "shop", "--format", "json").stdout)["StackName"] == "shop"
    missing = stack("outputs", "nothing-here")
    assert missing.returncode == 1
    assert "Stack with id nothing-here does not exist" in missing.stderr

    assert stack("delete", "shop").stdout == "shop: DELETE_COMPLETE\n"
    assert stack("delete", "shop").stdout == "stack shop not found\n"


def test_what_is_wrong_with_a_template_has_a_place(stack, tmp_path):
    (tmp_path / "template.yml").write_text(TEMPLATE.replace("!Ref Name", "!Ref Nam"))
    refused = stack("deploy", "other", "template.yml")
    assert refused.returncode == 1
    assert "template.yml:5" in refused.stderr
    (tmp_path / "template.yml").write_text(json.dumps({"Resources": {"A": {"Type": THING}}}))
    unknown = stack("deploy", "other", "template.yml")
    assert unknown.returncode == 1
    assert f"Unrecognized resource types: [{THING}]" in unknown.stderr
    assert stack("deploy", "other", "template.yml", "--parameter", "nonsense").returncode == 2


def test_a_diff_descends_into_nested_stacks(server, stack, tmp_path):
    s3 = server.client("s3")
    s3.create_bucket(Bucket="nested")

    def put(label, above):
        leaf = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": label}}}}
        middle = {"Resources": {"Leaf": {"Type": STACK, "Properties": {"TemplateURL": "s3://nested/leaf.json"}}}}
        for name, value in (("leaf", leaf), ("middle", middle)):
            s3.put_object(Bucket="nested", Key=f"{name}.json", Body=json.dumps(value))
        top = {"Middle": {"Type": STACK, "Properties": {"TemplateURL": "s3://nested/middle.json"}}}
        (tmp_path / "top.json").write_text(json.dumps({"Resources": {**top, **above}}))

    put("red", {})
    planned = stack("diff", "nesting", "top.json")
    assert (planned.returncode, planned.stdout.splitlines()) == (
        1,
        [
            "Add Middle (AWS::CloudFormation::Stack)",
            "    Add Leaf (AWS::CloudFormation::Stack)",
            "        Add Topic (AWS::SNS::Topic)",
        ],
    ), planned.stderr
    assert stack("deploy", "nesting", "top.json").returncode == 0
    assert "no changes" in stack("diff", "nesting", "top.json").stdout
    put("blue", {"Beside": {"Type": "AWS::SNS::Topic"}})
    compared = json.loads(stack("diff", "nesting", "top.json", "--format", "json").stdout)
    beside, middle = sorted(compared["changes"], key=lambda each: each["logicalId"])
    assert (beside["action"], "changes" in beside) == ("Add", False)
    (leaf,) = middle["changes"]
    (topic,) = leaf["changes"]
    assert (topic["logicalId"], topic["properties"]) == (
        "Topic",
        [{"path": "/Properties/DisplayName", "before": "red", "after": "blue", "recreation": "Never"}],
    )
    assert [each["StackName"] for each in server.client("cloudformation").describe_stacks()["Stacks"]].count("nesting")
    assert stack("delete", "nesting", "--yes").returncode == 0


@pytest.mark.slow
def test_a_change_set_now_and_its_execution_later(stack, tmp_path):
    (tmp_path / "values.yml").write_text("Parameters: {Name: later}\nTags: {Team: web}\n")
    prepared = stack(
        "deploy", "later", "template.yml", "--no-execute", "--parameter-file", "values.yml", "--format", "json"
    )
    assert prepared.returncode == 0, prepared.stderr
    name = json.loads(prepared.stdout)["changeSet"]
    assert f"execute it: cfn stack execute later {name} --endpoint-url" in prepared.stderr
    assert "later  REVIEW_IN_PROGRESS" in stack("list").stdout
    executed = stack("execute", "later", name, "--format", "json")
    assert json.loads(executed.stdout)["outputs"] == {"Topic": "later"}, executed.stderr
    kept = stack("deploy", "later", "template.yml", "--no-execute")
    assert (kept.returncode, kept.stdout) == (0, "later already matches the template\n")
    followed = stack("events", "later", "--follow", "--format", "json")
    assert json.loads(followed.stdout.splitlines()[-1])["ResourceStatus"] == "CREATE_COMPLETE"
    compared = stack("diff", "later", "template.yml", "--parameter", "Name=now", "--format", "json", "--exit-zero")
    assert compared.returncode == 0
    (changed,) = [each for each in json.loads(compared.stdout)["changes"] if each["logicalId"] == "Topic"]
    assert (changed["replacement"], changed["properties"]) == (
        "True",
        [{"path": "/Properties/TopicName", "before": "later", "after": "now", "recreation": "Always"}],
    )
    assert json.loads(stack("drift", "later", "--format", "json").stdout)["status"] == "IN_SYNC"
    assert stack("delete", "later", "--yes").returncode == 0
    listed = json.loads(stack("list", "--all", "--format", "json").stdout)
    assert ("later", "DELETE_COMPLETE") in [(each["StackName"], each["StackStatus"]) for each in listed]


def test_a_failure_is_explained(stack, tmp_path):
    text = "Resources:\n  One: {Type: AWS::SNS::Topic, Properties: {TopicName: same}}\n"
    (tmp_path / "template.yml").write_text(
        text + "  Two: {Type: AWS::SNS::Topic, DependsOn: One, Properties: {TopicName: same}}\n"
    )
    failed = stack("deploy", "fails", "template.yml")
    assert (failed.returncode, failed.stdout) == (1, "fails: ROLLBACK_COMPLETE\n")
    assert "the first failure: Two (AWS::SNS::Topic): " in failed.stderr
    (tmp_path / "template.yml").write_text(text)
    again = stack("deploy", "fails", "template.yml")
    assert again.stdout == "fails: CREATE_COMPLETE\n"
    assert "fails was rolled back when it was created" in again.stderr


NEVER_DONE = """
Parameters:
  Name: {Type: String}
  Password: {Type: String, NoEcho: true, Default: secret}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref Name}}
  Handle: {Type: AWS::CloudFormation::WaitConditionHandle}
  Wait: {Type: AWS::CloudFormation::WaitCondition, Properties: {Handle: !Ref Handle, Timeout: "1"}}
"""


def test_a_stack_that_was_rolled_back_is_replaced_with_the_values_it_had(stack, tmp_path):
    (tmp_path / "template.yml").write_text(NEVER_DONE)
    failed = stack("deploy", "replaced", "template.yml", "--parameter", "Name=x", "--parameter", "Password=canary-7")
    assert failed.stdout == "replaced: ROLLBACK_COMPLETE\n"
    (tmp_path / "template.yml").write_text(NEVER_DONE.partition("  Handle:")[0] + "  # no more\n")
    words = ("replaced", "template.yml", "--format", "json")
    for verb in ("diff", "deploy"):
        refused = stack(verb, *words)
        assert refused.returncode == 2
        assert "parameters without a value: Password" in refused.stderr
        assert "--parameter Password=VALUE" in refused.stderr
        assert "canary-7" not in refused.stderr
    assert json.loads(stack("describe", "replaced", "--format", "json").stdout)["StackStatus"] == "ROLLBACK_COMPLETE"
    words += ("--parameter", "Password=canary-8")
    compared = stack("diff", *words)
    assert compared.returncode == 1, compared.stderr
    found = json.loads(compared.stdout)
    assert (found["stack"], [each["logicalId"] for each in found["changes"]]) == ("replaced", ["Topic"])
    assert "compared with nothing" in compared.stderr
    listed = json.loads(stack("list", "--format", "json").stdout)
    assert [each["StackName"] for each in listed if "replaced" in each["StackName"]] == ["replaced"]
    made = stack("deploy", *words)
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["status"] == "CREATE_COMPLETE"
    assert stack("delete", "replaced", "--yes").returncode == 0


FAILS = """
def resource(event, context):
    %s
    return {"status": "FAILED", "errorCode": "InvalidRequest", "message": "no"}
"""


@pytest.mark.parametrize("writes", [True, False])
def test_a_failure_points_to_logs_where_there_are_some(server, stack, tmp_path, writes):
    name = "Acme::Log::Loud" if writes else "Acme::Log::Quiet"
    handlers = FAILS % ("print('looked at', flush=True)" if writes else "pass")
    register(server, name, content=resource_package(name, schema=resource_schema(name), handlers=handlers))
    (tmp_path / "template.yml").write_text(f"Resources: {{One: {{Type: {name}, Properties: {{Name: x}}}}}}\n")
    failed = stack("deploy", f"logs-{writes}", "template.yml")
    assert "the first failure: One" in failed.stderr
    assert (f"cfn registry logs {name}" in failed.stderr) is writes


def test_types_whose_schemas_are_at_hand_are_described(server):
    client = server.client("cloudformation")
    found = client.describe_type(Type="RESOURCE", TypeName="AWS::SNS::Topic")
    assert (found["Visibility"], json.loads(found["Schema"])["typeName"]) == ("PUBLIC", "AWS::SNS::Topic")
    assert client.describe_type(Arn=found["Arn"])["TypeName"] == "AWS::SNS::Topic"
    assert found["Arn"] == "arn:aws:cloudformation:us-east-1::type/resource/AWS-SNS-Topic"
    assert (found["ProvisioningType"], found["DeprecatedStatus"]) == ("FULLY_MUTABLE", "LIVE")
    assert "IsActivated" not in found
    assert client.describe_type(Type="RESOURCE", TypeName="AWS::SNS::TopicPolicy")["Visibility"] == "PUBLIC"
    pages = client.get_paginator("list_types").paginate(Visibility="PUBLIC", Filters={"Category": "AWS_TYPES"})
    listed = {each["TypeName"] for page in pages for each in page["TypeSummaries"]}
    assert {"AWS::SNS::Topic", "AWS::S3::Bucket", "AWS::CloudFormation::HookTypeConfig"} <= listed
    with pytest.raises(client.exceptions.TypeNotFoundException):
        client.describe_type(Type="RESOURCE", TypeName="Acme::Not::Registered")


def test_nobody_answers(stack):
    refused = stack("list", url="http://127.0.0.1:9")
    assert refused.returncode == 3
    assert "nothing answers at http://127.0.0.1:9" in refused.stderr
    assert "start it: `cfn serve --port 9`" in refused.stderr


def test_ctrl_c_leaves_the_operation_running(server, stack, tmp_path):
    register(server, content=resource_package(schema=resource_schema(), handlers=SLOW))
    (tmp_path / "template.yml").write_text(
        json.dumps({"Resources": {"A": {"Type": THING, "Properties": {"Name": "a"}}}})
    )
    with stack.begin("deploy", "slow", "template.yml") as process:
        for line in process.stderr:
            if "CREATE_IN_PROGRESS" in line and THING in line:
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(30) == 130
    assert "the operation continues without this command" in rest
    assert f"follow it: cfn stack events slow --follow --endpoint-url {server.url}" in rest
    followed = stack("events", "slow", "--follow")
    assert followed.stdout.splitlines()[-1].endswith("slow  CREATE_COMPLETE  AWS::CloudFormation::Stack")
