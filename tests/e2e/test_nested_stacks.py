"""Nested stacks with boto3 and the AWS CLI against `cfn serve`."""

import json

import pytest
from botocore.exceptions import WaiterError

from support.aws_cli import AwsCli
from support.serving import serving

CHILD = {
    "Parameters": {"Name": {"Type": "String"}},
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Name"}}}},
    "Outputs": {"Topic": {"Value": {"Ref": "Topic"}}},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("nested")) as running:
        s3 = running.client("s3")
        s3.create_bucket(Bucket="templates")
        s3.put_object(Bucket="templates", Key="child.json", Body=json.dumps(CHILD))
        yield running


@pytest.fixture
def cloudformation(server):
    return server.client("cloudformation")


def parent(url, name="one"):
    child = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": url, "Parameters": {"Name": name}}}
    return json.dumps(
        {
            "Resources": {"Child": child},
            "Outputs": {"Topic": {"Value": {"Fn::GetAtt": ["Child", "Outputs.Topic"]}}},
        }
    )


def story(client, name):
    events = client.get_paginator("describe_stack_events").paginate(StackName=name).build_full_result()["StackEvents"]
    return [(e["LogicalResourceId"], e["ResourceStatus"]) for e in reversed(events)]


def describe(client, name):
    (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    return stack


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("s3", "s3://templates/child.json"),
        ("endpoint", "{server}/templates/child.json"),
        ("virtual-host", "https://templates.s3.eu-west-1.amazonaws.com/child.json"),
        ("path", "https://s3.amazonaws.com/templates/child.json"),
    ],
)
def test_a_nested_stack_from_every_form_of_url(server, cloudformation, name, url):
    cloudformation.create_stack(StackName=name, TemplateBody=parent(url.format(server=server.url)))
    cloudformation.get_waiter("stack_create_complete").wait(StackName=name)
    stack = describe(cloudformation, name)
    resource = cloudformation.describe_stack_resource(StackName=name, LogicalResourceId="Child")["StackResourceDetail"]
    child = describe(cloudformation, resource["PhysicalResourceId"])
    assert child["ParentId"] == child["RootId"] == stack["StackId"]
    assert child["StackName"].startswith(f"{name}-Child-")
    assert stack["Outputs"][0]["OutputValue"] == child["Outputs"][0]["OutputValue"]
    cloudformation.delete_stack(StackName=name)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=name)
    assert describe(cloudformation, child["StackId"])["StackStatus"] == "DELETE_COMPLETE"


def test_update_and_rollback_reach_the_child(server, cloudformation):
    cloudformation.create_stack(StackName="up", TemplateBody=parent("s3://templates/child.json"))
    cloudformation.get_waiter("stack_create_complete").wait(StackName="up")
    child = cloudformation.describe_stack_resources(StackName="up")["StackResources"][0]["PhysicalResourceId"]
    cloudformation.update_stack(StackName="up", TemplateBody=parent("s3://templates/child.json", "two"))
    cloudformation.get_waiter("stack_update_complete").wait(StackName="up")
    assert describe(cloudformation, child)["Parameters"][0]["ParameterValue"] == "two"
    assert story(cloudformation, "up")[-5:] == [
        ("Child", "UPDATE_IN_PROGRESS"),
        ("Child", "UPDATE_COMPLETE"),
        ("up", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"),
        ("Child", "UPDATE_COMPLETE"),
        ("up", "UPDATE_COMPLETE"),
    ]

    broken = json.loads(parent("s3://templates/child.json", "three"))
    missing = {"TemplateURL": "s3://templates/nothing.json"}
    broken["Resources"]["Other"] = {
        "Type": "AWS::CloudFormation::Stack",
        "DependsOn": "Child",
        "Properties": missing,
    }
    cloudformation.update_stack(StackName="up", TemplateBody=json.dumps(broken))
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_update_complete").wait(StackName="up")
    cloudformation.get_waiter("stack_rollback_complete").wait(StackName="up")
    assert describe(cloudformation, child)["Parameters"][0]["ParameterValue"] == "two"
    assert describe(cloudformation, child)["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"


def test_package_and_deploy_with_the_aws_cli(server, tmp_path):
    (tmp_path / "child.json").write_text(json.dumps(CHILD))
    (tmp_path / "parent.json").write_text(parent("child.json"))
    packaged = tmp_path / "packaged.json"
    aws = AwsCli(server.url, tmp_path, region="us-east-1")
    try:
        aws.run(
            *("cloudformation", "package", "--template-file", tmp_path / "parent.json", "--use-json"),
            *("--s3-bucket", "templates", "--output-template-file", packaged),
            account="111111111111",
        )
        deploy = "cloudformation", "deploy", "--template-file", packaged, "--stack-name", "cli"
        aws.run(*deploy, account="111111111111")
        found = aws.run("cloudformation", "list-stacks", account="111111111111")["StackSummaries"]
    finally:
        aws.close()
    (child,) = (each for each in found if each["StackName"].startswith("cli-Child-"))
    assert child["StackStatus"] == "CREATE_COMPLETE"
    assert child["ParentId"].split("/")[1] == "cli"
