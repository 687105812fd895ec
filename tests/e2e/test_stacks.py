"""Stacks of a registered type, a module and simulated types of AWS's, with boto3 against `cfn serve`."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.registry import (
    GUARD,
    SHELF,
    THING,
    hook_package,
    hook_schema,
    module_package,
)
from support.serving import serving
from support.things import serving_things

TEMPLATE = {
    "Parameters": {"Name": {"Type": "String"}, "Label": {"Type": "String", "Default": "red"}},
    "Resources": {
        "Thing": {"Type": THING, "Properties": {"Name": {"Ref": "Name"}, "Label": {"Ref": "Label"}}},
        "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Thing"}}},
    },
    "Outputs": {
        "Topic": {"Value": {"Fn::GetAtt": ["Topic", "TopicArn"]}, "Export": {"Name": {"Fn::Sub": "${Name}-topic"}}}
    },
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_things(tmp_path_factory.mktemp("stacks")) as running:
        yield running


@pytest.fixture
def cloudformation(server):
    return server.client("cloudformation")


def parameters(**values):
    return [{"ParameterKey": key, "ParameterValue": value} for key, value in values.items()]


def story(client, name):
    events = client.get_paginator("describe_stack_events").paginate(StackName=name).build_full_result()["StackEvents"]
    return [(e["LogicalResourceId"], e["ResourceStatus"]) for e in reversed(events)]


def test_a_stack_from_its_creation_to_its_end(server, cloudformation):
    arn = cloudformation.create_stack(
        StackName="life", TemplateBody=json.dumps(TEMPLATE), Parameters=parameters(Name="one")
    )["StackId"]
    cloudformation.get_waiter("stack_create_complete").wait(StackName="life")
    (stack,) = cloudformation.describe_stacks(StackName="life")["Stacks"]
    resources = {
        each["LogicalResourceId"]: each
        for each in cloudformation.describe_stack_resources(StackName="life")["StackResources"]
    }
    assert resources["Thing"]["PhysicalResourceId"] == "one"
    assert server.things()["one"] == {"Name": "one", "Label": "red"}
    assert cloudformation.list_exports()["Exports"][0]["Value"] == stack["Outputs"][0]["OutputValue"]

    cloudformation.update_stack(
        StackName="life",
        UsePreviousTemplate=True,
        Parameters=[{"ParameterKey": "Name", "UsePreviousValue": True}, *parameters(Label="blue")],
    )
    cloudformation.get_waiter("stack_update_complete").wait(StackName="life")
    assert server.things()["one"]["Label"] == "blue"

    cloudformation.update_stack(StackName="life", UsePreviousTemplate=True, Parameters=parameters(Name="two"))
    cloudformation.get_waiter("stack_update_complete").wait(StackName="life")
    assert list(server.things()) == ["two"]

    with pytest.raises(ClientError, match=r"No updates are to be performed\."):
        cloudformation.update_stack(StackName="life", UsePreviousTemplate=True, Parameters=parameters(Name="two"))

    cloudformation.delete_stack(StackName="life")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="life")
    assert server.things() == {}
    assert cloudformation.describe_stacks(StackName=arn)["Stacks"][0]["StackStatus"] == "DELETE_COMPLETE"
    with pytest.raises(ClientError, match="Stack with id life does not exist"):
        cloudformation.describe_stacks(StackName="life")


def test_a_creation_that_fails_leaves_nothing(server, cloudformation):
    template = json.loads(json.dumps(TEMPLATE))
    template["Resources"]["Second"] = {"Type": THING, "DependsOn": "Topic", "Properties": {"Name": "bad"}}
    cloudformation.create_stack(
        StackName="fails", TemplateBody=json.dumps(template), Parameters=parameters(Name="three")
    )
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="fails")
    (stack,) = cloudformation.describe_stacks(StackName="fails")["Stacks"]
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "three" not in server.things()
    assert ("Second", "CREATE_FAILED") in story(cloudformation, "fails")
    cloudformation.delete_stack(StackName="fails")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="fails")


def test_a_module_and_what_events_say_of_stand_ins(server, cloudformation):
    s3 = server.client("s3")
    s3.put_object(Bucket="packages-here", Key="shelf.zip", Body=module_package())
    token = cloudformation.register_type(
        Type="MODULE", TypeName=SHELF, SchemaHandlerPackage="s3://packages-here/shelf.zip"
    )["RegistrationToken"]
    cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    template = {"Resources": {"Shelf": {"Type": SHELF, "Properties": {"Label": "shelf-of-books"}}}}
    cloudformation.create_stack(
        StackName="shelves", TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_AUTO_EXPAND"]
    )
    cloudformation.get_waiter("stack_create_complete").wait(StackName="shelves")
    (bucket,) = cloudformation.describe_stack_resources(StackName="shelves")["StackResources"]
    assert bucket["ModuleInfo"] == {"TypeHierarchy": SHELF, "LogicalIdHierarchy": "Shelf"}
    assert (bucket["LogicalResourceId"], bucket["PhysicalResourceId"]) == ("ShelfBucket", "shelf-of-books")
    events = cloudformation.describe_stack_events(StackName="shelves")["StackEvents"]
    assert {each.get("DetailedStatus") for each in events if each["LogicalResourceId"] == "ShelfBucket"} == {
        "SIMULATED"
    }
    processed = cloudformation.get_template(StackName="shelves", TemplateStage="Processed")["TemplateBody"]
    assert list(processed["Resources"]) == ["ShelfBucket"]


def test_types_that_nobody_registered_are_refused(cloudformation):
    template = {"Resources": {"A": {"Type": "Nobody::Has::Made"}, "B": {"Type": "AWS::SNS::Topic"}}}
    with pytest.raises(ClientError, match=r"Unrecognized resource types: \[Nobody::Has::Made\]"):
        cloudformation.create_stack(StackName="unknown", TemplateBody=json.dumps(template))


def test_a_change_set_is_what_its_execution_does(server, cloudformation):
    made = cloudformation.create_change_set(
        StackName="reviewed",
        ChangeSetName="first",
        ChangeSetType="CREATE",
        TemplateBody=json.dumps(TEMPLATE),
        Parameters=parameters(Name="four"),
    )
    cloudformation.get_waiter("change_set_create_complete").wait(ChangeSetName="first", StackName="reviewed")
    assert cloudformation.describe_stacks(StackName="reviewed")["Stacks"][0]["StackStatus"] == "REVIEW_IN_PROGRESS"
    changes = cloudformation.describe_change_set(ChangeSetName=made["Id"])["Changes"]
    assert [each["ResourceChange"]["LogicalResourceId"] for each in changes] == ["Thing", "Topic"]
    cloudformation.execute_change_set(ChangeSetName="first", StackName="reviewed")
    cloudformation.get_waiter("stack_create_complete").wait(StackName="reviewed")
    assert "four" in server.things()

    # An executed change set leaves its name to others.
    cloudformation.create_change_set(
        StackName="reviewed", ChangeSetName="first", UsePreviousTemplate=True, Parameters=parameters(Name="five")
    )
    cloudformation.delete_change_set(StackName="reviewed", ChangeSetName="first")
    cloudformation.create_change_set(
        StackName="reviewed", ChangeSetName="second", UsePreviousTemplate=True, Parameters=parameters(Name="five")
    )
    second = cloudformation.describe_change_set(
        ChangeSetName="second", StackName="reviewed", IncludePropertyValues=True
    )
    thing, topic = (each["ResourceChange"] for each in second["Changes"])
    assert (thing["Replacement"], thing["PolicyAction"]) == ("True", "ReplaceAndDelete")
    assert topic["Details"][0]["Target"]["AfterValue"] == "{{changeSet:KNOWN_AFTER_APPLY}}"
    cloudformation.execute_change_set(ChangeSetName="second", StackName="reviewed")
    cloudformation.get_waiter("stack_update_complete").wait(StackName="reviewed")
    assert ("four" in server.things(), "five" in server.things()) == (False, True)

    cloudformation.create_change_set(
        StackName="reviewed", ChangeSetName="third", UsePreviousTemplate=True, Parameters=parameters(Name="five")
    )
    third = cloudformation.describe_change_set(ChangeSetName="third", StackName="reviewed")
    assert (third["Status"], third["ExecutionStatus"]) == ("FAILED", "UNAVAILABLE")
    assert third["StatusReason"].startswith("The submitted information didn't contain changes.")
    with pytest.raises(ClientError, match=r"cannot be executed in its current status of \[FAILED\]"):
        cloudformation.execute_change_set(ChangeSetName="third", StackName="reviewed")
    cloudformation.delete_stack(StackName="reviewed")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="reviewed")


def test_drift_is_found(server, cloudformation):
    given = parameters(Name="drifter", Label="red")
    cloudformation.create_stack(StackName="drifts", TemplateBody=json.dumps(TEMPLATE), Parameters=given)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="drifts")

    def detect():
        identifier = cloudformation.detect_stack_drift(StackName="drifts")["StackDriftDetectionId"]
        for _ in range(200):
            found = cloudformation.describe_stack_drift_detection_status(StackDriftDetectionId=identifier)
            if found["DetectionStatus"] != "DETECTION_IN_PROGRESS":
                return found
            time.sleep(0.05)
        raise AssertionError(found)

    assert detect()["StackDriftStatus"] == "IN_SYNC"
    server.change("drifter", Label="blue")
    found = detect()
    assert (found["StackDriftStatus"], found["DriftedStackResourceCount"]) == ("DRIFTED", 1)
    drifts = cloudformation.describe_stack_resource_drifts(
        StackName="drifts", StackResourceDriftStatusFilters=["MODIFIED"]
    )["StackResourceDrifts"]
    assert [each["LogicalResourceId"] for each in drifts] == ["Thing"]
    assert drifts[0]["PropertyDifferences"] == [
        {"PropertyPath": "/Label", "ExpectedValue": "red", "ActualValue": "blue", "DifferenceType": "NOT_EQUAL"}
    ]
    assert json.loads(drifts[0]["ActualProperties"]) == {"Name": "drifter", "Label": "blue"}
    assert cloudformation.describe_stacks(StackName="drifts")["Stacks"][0]["DriftInformation"]["StackDriftStatus"] == (
        "DRIFTED"
    )
    server.change("drifter", gone=True)
    drift = cloudformation.detect_stack_resource_drift(StackName="drifts", LogicalResourceId="Thing")
    assert drift["StackResourceDrift"]["StackResourceDriftStatus"] == "DELETED"
    cloudformation.delete_stack(StackName="drifts")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="drifts")


def test_cloud_control(server):
    control = server.client("cloudcontrol")
    made = control.create_resource(TypeName=THING, DesiredState=json.dumps({"Name": "lone", "Label": "red"}))
    token = made["ProgressEvent"]["RequestToken"]
    control.get_waiter("resource_request_success").wait(RequestToken=token)
    found = control.get_resource(TypeName=THING, Identifier="lone")["ResourceDescription"]
    assert json.loads(found["Properties"]) == {"Name": "lone", "Label": "red"}
    patch = json.dumps([{"op": "replace", "path": "/Label", "value": "blue"}])
    changed = control.update_resource(TypeName=THING, Identifier="lone", PatchDocument=patch)["ProgressEvent"]
    control.get_waiter("resource_request_success").wait(RequestToken=changed["RequestToken"])
    assert server.things()["lone"]["Label"] == "blue"
    gone = control.delete_resource(TypeName=THING, Identifier="lone")["ProgressEvent"]
    control.get_waiter("resource_request_success").wait(RequestToken=gone["RequestToken"])
    with pytest.raises(control.exceptions.ResourceNotFoundException):
        control.get_resource(TypeName=THING, Identifier="lone")
    with pytest.raises(control.exceptions.TypeNotFoundException):
        control.get_resource(TypeName="Nobody::Has::Made", Identifier="x")


def test_the_aws_cli_deploys(server, tmp_path):
    template = tmp_path / "template.json"
    template.write_text(json.dumps(TEMPLATE))
    environment = {
        **os.environ,
        "AWS_ACCESS_KEY_ID": "111111111111",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": server.url,
        "AWS_EC2_METADATA_DISABLED": "true",
    }

    def deploy(name):
        command = [sys.executable, "-m", "awscli", "cloudformation", "deploy", "--stack-name", "cli"]
        more = [
            "--template-file",
            str(template),
            "--parameter-overrides",
            f"Name={name}",
            "--no-fail-on-empty-changeset",
        ]
        done = subprocess.run([*command, *more], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Successfully created/updated stack - cli" in deploy("six")
    assert "No changes to deploy" in deploy("six")
    time.sleep(1)  # the client names its change sets by the second
    assert "Successfully created/updated stack - cli" in deploy("seven")
    assert "seven" in server.things()


# A hook that refuses every thing whose label is black.
GUARD_HANDLERS = """
def resource(event, context):
    label = event["requestData"]["targetModel"]["resourceProperties"].get("Label")
    if label == "black":
        return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "no black things",
                "clientRequestToken": event["clientRequestToken"]}
    return {"hookStatus": "SUCCESS", "message": "fine", "clientRequestToken": event["clientRequestToken"]}
"""


def test_a_hook_refuses_what_it_is_configured_to_look_at(server, cloudformation):
    schema = hook_schema()
    schema["handlers"] = {"preCreate": {"targetNames": [THING], "permissions": []}}
    server.client("s3").put_object(
        Bucket="packages-here", Key="guard.zip", Body=hook_package(schema=schema, handlers=GUARD_HANDLERS)
    )
    token = cloudformation.register_type(
        Type="HOOK", TypeName=GUARD, SchemaHandlerPackage="s3://packages-here/guard.zip"
    )["RegistrationToken"]
    cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token)

    def configure(**settings):
        inner = {"HookConfiguration": {"Properties": {}, **settings}}
        cloudformation.set_type_configuration(
            Type="HOOK", TypeName=GUARD, Configuration=json.dumps({"CloudFormationConfiguration": inner})
        )

    def create(name):
        given = parameters(Name=name, Label="black")
        cloudformation.create_stack(StackName=name, TemplateBody=json.dumps(TEMPLATE), Parameters=given)

    configure(TargetStacks="ALL", FailureMode="FAIL")
    create("refused")
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="refused")
    events = cloudformation.describe_stack_events(StackName="refused")["StackEvents"]
    (hook,) = (each for each in events if each.get("HookStatus") == "HOOK_COMPLETE_FAILED")
    assert hook["HookStatusReason"] == "Hook failed with message: no black things"
    assert hook["HookType"] == GUARD
    failed = next(each for each in events if each["ResourceStatus"] == "CREATE_FAILED")
    assert failed["ResourceStatusReason"] == f"The following hook(s) failed: [{GUARD}]"
    assert "refused" not in server.things()

    configure(TargetStacks="NONE", FailureMode="FAIL")
    create("allowed")
    cloudformation.get_waiter("stack_create_complete").wait(StackName="allowed")
    for name in ("refused", "allowed"):
        cloudformation.delete_stack(StackName=name)
        cloudformation.get_waiter("stack_delete_complete").wait(StackName=name)


def test_a_template_is_told_about(cloudformation):
    text = json.dumps(TEMPLATE)
    summary = cloudformation.get_template_summary(TemplateBody=text)
    assert summary["Version"] == "2010-09-09"
    assert summary["ResourceTypes"] == [THING, "AWS::SNS::Topic"]
    assert summary["ResourceIdentifierSummaries"][0]["ResourceIdentifiers"] == ["Name"]
    validated = cloudformation.validate_template(TemplateBody=text)["Parameters"]
    assert [(each["ParameterKey"], each.get("DefaultValue")) for each in validated] == [
        ("Name", None),
        ("Label", "red"),
    ]
    with pytest.raises(ClientError, match=r"JSON not well-formed. \(line 1, column 25\)"):
        cloudformation.validate_template(TemplateBody='{"this is invalid JSON"}')


def test_schemas_that_are_brought_and_types_that_are_refused(tmp_path):
    brought = tmp_path / "brought"
    brought.mkdir()
    schema = {
        "typeName": "AWS::Brought::Thing",
        "description": "A thing.",
        "properties": {"Name": {"type": "string"}, "Size": {"type": "integer"}},
        "createOnlyProperties": ["/properties/Name"],
        "primaryIdentifier": ["/properties/Name"],
        "additionalProperties": False,
        "handlers": {each: {"permissions": []} for each in ("create", "read", "update", "delete", "list")},
    }
    (brought / "thing.json").write_text(json.dumps(schema))
    body = json.dumps({"Resources": {"Mine": {"Type": "AWS::Brought::Thing", "Properties": {"Size": "3"}}}})
    unknown = json.dumps({"Resources": {"No": {"Type": "AWS::Brought::Nothing"}}})
    with serving(tmp_path, "--schemas", "brought", forked=True) as server:
        client = server.client("cloudformation")
        client.create_stack(StackName="mine", TemplateBody=body)
        client.get_waiter("stack_create_complete").wait(StackName="mine")
        (made,) = client.describe_stack_resources(StackName="mine")["StackResources"]
        assert re.fullmatch("mine-Mine-[A-Za-z0-9]{12}", made["PhysicalResourceId"])
        with pytest.raises(
            ClientError, match=r"\[AWS::Brought::Nothing\]; AWS::Brought::Nothing is simulated where .*"
        ):
            client.create_stack(StackName="no", TemplateBody=unknown)
        server.stop()
    with serving(tmp_path, "--schemas", "brought", "--strict-types", forked=True) as server:
        client = server.client("cloudformation")
        with pytest.raises(ClientError) as refused:
            client.create_stack(StackName="other", TemplateBody=body)
        said = "Template format error: Unrecognized resource types: [AWS::Brought::Thing]"
        assert refused.value.response["Error"] == {"Type": "Sender", "Code": "ValidationError", "Message": said}


def test_a_bucket_of_a_stack_takes_objects(server, cloudformation):
    s3 = server.client("s3")
    with pytest.raises(ClientError, match="NoSuchBucket"):
        s3.put_object(Bucket="declared-bucket", Key="a", Body=b"1")
    template = {"Resources": {"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "declared-bucket"}}}}
    cloudformation.create_stack(StackName="buckets", TemplateBody=json.dumps(template))
    cloudformation.get_waiter("stack_create_complete").wait(StackName="buckets")
    with pytest.raises(ClientError, match="NoSuchBucket"):
        server.client("s3", account="222222222222").get_object(Bucket="declared-bucket", Key="a")
    s3.put_object(Bucket="declared-bucket", Key="a", Body=b"1")
    assert s3.get_object(Bucket="declared-bucket", Key="a")["Body"].read() == b"1"
    cloudformation.delete_stack(StackName="buckets")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="buckets")
