"""Nested stacks with boto3 and the AWS CLI against `cfn serve`."""

import json

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.aws_cli import AwsCli
from support.serving import serving

CHILD = {
    "Parameters": {"Name": {"Type": "String"}},
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Name"}}}},
    "Outputs": {"Topic": {"Value": {"Ref": "Topic"}}},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("nested"), forked=True) as running:
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


def change_set(client, name, template, kind="UPDATE"):
    """A change set with those of nested stacks, and the changes of the stack by logical id."""
    asked = {"StackName": name, "ChangeSetName": "set", "ChangeSetType": kind, "IncludeNestedStacks": True}
    arn = client.create_change_set(**asked, TemplateBody=template)["Id"]
    described = client.describe_change_set(ChangeSetName=arn)
    changes = {each["ResourceChange"]["LogicalResourceId"]: each["ResourceChange"] for each in described["Changes"]}
    return described, changes


def test_change_sets_of_nested_stacks(cloudformation):
    template = parent("s3://templates/child.json")
    root, changes = change_set(cloudformation, "sets", template, "CREATE")
    assert (root["Status"], root["IncludeNestedStacks"]) == ("CREATE_COMPLETE", True)
    nested = cloudformation.describe_change_set(ChangeSetName=changes["Child"]["ChangeSetId"])
    assert nested["ParentChangeSetId"] == nested["RootChangeSetId"] == root["ChangeSetId"]
    assert [each["ResourceChange"]["LogicalResourceId"] for each in nested["Changes"]] == ["Topic"]
    review = describe(cloudformation, nested["StackId"])
    assert (review["StackStatus"], review["RootId"]) == ("REVIEW_IN_PROGRESS", root["StackId"])
    for refused in (cloudformation.execute_change_set, cloudformation.delete_change_set):
        with pytest.raises(ClientError, match="from the root change set"):
            refused(ChangeSetName=nested["ChangeSetId"])

    cloudformation.execute_change_set(ChangeSetName=root["ChangeSetId"])
    cloudformation.get_waiter("stack_create_complete").wait(StackName="sets")
    made = cloudformation.describe_stack_resources(StackName="sets")["StackResources"][0]["PhysicalResourceId"]
    assert made == nested["StackId"]
    assert describe(cloudformation, made)["ChangeSetId"] == nested["ChangeSetId"]
    executed = cloudformation.describe_change_set(ChangeSetName=nested["ChangeSetId"])
    assert executed["ExecutionStatus"] == "EXECUTE_COMPLETE"

    same, _ = change_set(cloudformation, "sets", template)
    assert (same["Status"], same["StatusReason"].split(".")[0]) == (
        "FAILED",
        "The submitted information didn't contain changes",
    )
    cloudformation.delete_change_set(ChangeSetName=same["ChangeSetId"])
    other, changes = change_set(cloudformation, "sets", parent("s3://templates/child.json", "two"))
    assert changes["Child"]["Action"] == "Modify"
    nested = cloudformation.describe_change_set(ChangeSetName=changes["Child"]["ChangeSetId"])
    (change,) = nested["Changes"]
    assert (change["ResourceChange"]["Action"], nested["StackId"]) == ("Modify", made)
    cloudformation.execute_change_set(ChangeSetName=other["ChangeSetId"])
    cloudformation.get_waiter("stack_update_complete").wait(StackName="sets")
    assert describe(cloudformation, made)["ChangeSetId"] == nested["ChangeSetId"]
    cloudformation.delete_stack(StackName="sets")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="sets")


def test_a_change_set_goes_with_its_nested_ones(cloudformation):
    root, changes = change_set(cloudformation, "dropped", parent("s3://templates/child.json"), "CREATE")
    nested = cloudformation.describe_change_set(ChangeSetName=changes["Child"]["ChangeSetId"])
    cloudformation.delete_change_set(ChangeSetName=root["ChangeSetId"])
    with pytest.raises(ClientError, match="ChangeSetNotFound"):
        cloudformation.describe_change_set(ChangeSetName=nested["ChangeSetId"])
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=nested["StackId"])


def test_a_nested_template_that_is_not_there_fails_the_change_set(cloudformation):
    root, _ = change_set(cloudformation, "absent", parent("s3://templates/nothing.json"), "CREATE")
    assert root["Status"] == "FAILED"
    assert "TemplateURL must reference a valid S3 object" in root["StatusReason"]


def test_the_root_s_termination_protection_holds_for_the_child(cloudformation):
    body = parent("s3://templates/child.json")
    cloudformation.create_stack(StackName="kept", TemplateBody=body, EnableTerminationProtection=True)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="kept")
    child = cloudformation.describe_stack_resources(StackName="kept")["StackResources"][0]["PhysicalResourceId"]
    with pytest.raises(ClientError, match=r"Stack \[kept\] cannot be deleted while TerminationProtection is enabled"):
        cloudformation.delete_stack(StackName=child)


def test_drift_of_a_nested_stack_that_somebody_changed(cloudformation):
    cloudformation.create_stack(StackName="drifts", TemplateBody=parent("s3://templates/child.json"))
    cloudformation.get_waiter("stack_create_complete").wait(StackName="drifts")
    child = cloudformation.describe_stack_resources(StackName="drifts")["StackResources"][0]["PhysicalResourceId"]
    drift = {"StackName": "drifts", "LogicalResourceId": "Child"}
    found = cloudformation.detect_stack_resource_drift(**drift)["StackResourceDrift"]
    assert found["StackResourceDriftStatus"] == "IN_SYNC"
    given = [{"ParameterKey": "Name", "ParameterValue": "outside"}]
    cloudformation.update_stack(StackName=child, UsePreviousTemplate=True, Parameters=given)
    cloudformation.get_waiter("stack_update_complete").wait(StackName=child)
    found = cloudformation.detect_stack_resource_drift(**drift)["StackResourceDrift"]
    assert [each["PropertyPath"] for each in found["PropertyDifferences"]] == ["/Parameters/Name"]


def test_a_secret_that_stays_is_no_change_of_a_child(server, cloudformation):
    secret = {"Parameters": {"Name": {"Type": "String", "NoEcho": True}}, "Resources": CHILD["Resources"]}
    server.client("s3").put_object(Bucket="templates", Key="secret.json", Body=json.dumps(secret))
    above = json.loads(parent("s3://templates/secret.json"))
    above = {"Parameters": {"Key": {"Type": "String", "NoEcho": True}}, "Resources": above["Resources"]}
    above["Resources"]["Child"]["Properties"]["Parameters"] = {"Name": {"Ref": "Key"}}
    given = [{"ParameterKey": "Key", "ParameterValue": "canary-4711"}]
    cloudformation.create_stack(StackName="secret", TemplateBody=json.dumps(above), Parameters=given)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="secret")
    asked = {"StackName": "secret", "ChangeSetName": "same", "IncludeNestedStacks": True, "UsePreviousTemplate": True}
    arn = cloudformation.create_change_set(**asked, Parameters=given)["Id"]
    described = cloudformation.describe_change_set(ChangeSetName=arn, IncludePropertyValues=True)
    assert described["Status"] == "FAILED", described
    assert "canary" not in str(described)
