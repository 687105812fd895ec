"""Stack sets with boto3 and the AWS CLI against `cfn serve`: several accounts and Regions, failures, a killed server."""

import contextlib
import json
import signal
import time

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.aws_cli import AwsCli
from support.registry import THING, module_package, resource_package, resource_schema
from support.seeds import needs_guide, publishing_templates
from support.serving import serving, upload

ADMIN, OTHER = "111111111111", "222222222222"
REGIONS = ["us-east-1", "eu-west-1"]
# Things whose name begins with "bad" can't be made; those with "slow" take as long as they are asked again.
HANDLERS = """
import json, pathlib
STORE = pathlib.Path(%r)

def resource(event, context):
    action, desired = event["action"], event["requestData"]["resourceProperties"] or {}
    place = STORE / event["awsAccountId"] / event["region"]
    place.mkdir(parents=True, exist_ok=True)
    file = place / (desired.get("Name", "none") + ".json")
    if action == "CREATE":
        if desired["Name"].startswith("bad"):
            return {"status": "FAILED", "errorCode": "InvalidRequest", "message": "a bad name"}
        if desired["Name"].startswith("slow") and not event.get("callbackContext"):
            return {"status": "IN_PROGRESS", "callbackContext": {"n": 1}, "resourceModel": desired,
                    "callbackDelaySeconds": 2}
    elif not file.exists():
        return {"status": "FAILED", "errorCode": "NotFound", "message": "no such thing"}
    if action == "DELETE":
        file.unlink()
        return {"status": "SUCCESS"}
    if action in ("CREATE", "UPDATE"):
        file.write_text(json.dumps(desired))
    return {"status": "SUCCESS", "resourceModel": json.loads(file.read_text())}
"""
TEMPLATE = json.dumps(
    {
        "Parameters": {"Name": {"Type": "String"}, "Label": {"Type": "String", "Default": "red"}},
        "Resources": {"Thing": {"Type": THING, "Properties": {"Name": {"Ref": "Name"}, "Label": {"Ref": "Label"}}}},
        "Outputs": {"Where": {"Value": {"Fn::Sub": "${AWS::AccountId} ${AWS::Region}"}}},
    }
)


def package(folder):
    schema = resource_schema()
    schema["properties"]["Label"] = {"type": "string"}
    return resource_package(schema=schema, handlers=HANDLERS % str(folder / "things"))


def register_everywhere(server, content):
    for account in (ADMIN, OTHER):
        for region in REGIONS:
            s3 = server.client("s3", account=account, region=region)
            bucket = f"types-{account}-{region}"
            s3.create_bucket(Bucket=bucket)
            s3.put_object(Bucket=bucket, Key="thing.zip", Body=content)
            client = server.client("cloudformation", account=account, region=region)
            token = client.register_type(
                Type="RESOURCE", TypeName=THING, SchemaHandlerPackage=f"s3://{bucket}/thing.zip"
            )["RegistrationToken"]
            client.get_waiter("type_registration_complete").wait(RegistrationToken=token)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    with serving(folder, forked=True) as running:
        register_everywhere(running, package(folder))
        running.things = folder / "things"
        yield running


@pytest.fixture
def client(server):
    return server.client("cloudformation")


def given(**parameters):
    return [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]


def wait(client, name, operation):
    """The operation once it has ended."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = client.describe_stack_set_operation(StackSetName=name, OperationId=operation)["StackSetOperation"]
        if found["Status"] not in {"RUNNING", "QUEUED", "STOPPING"}:
            return found
        time.sleep(0.1)
    raise AssertionError(found)


def fill(client, name, *, accounts=(ADMIN, OTHER), regions=REGIONS, **more):
    operation = client.create_stack_instances(
        StackSetName=name, Accounts=list(accounts), Regions=list(regions), **more
    )["OperationId"]
    return wait(client, name, operation)


def empty(client, name, *, retain=False):
    operation = client.delete_stack_instances(
        StackSetName=name, Accounts=[ADMIN, OTHER], Regions=REGIONS, RetainStacks=retain
    )["OperationId"]
    return wait(client, name, operation)


def shown(client, name, **more):
    found = client.get_paginator("list_stack_instances").paginate(StackSetName=name, **more).build_full_result()
    return {
        (e["Account"], e["Region"]): (e["Status"], e["StackInstanceStatus"]["DetailedStatus"])
        for e in found["Summaries"]
    }


def label_of(server, account, region, name):
    return json.loads((server.things / account / region / f"{name}.json").read_text())["Label"]


def test_a_stack_set_from_its_creation_to_its_end(server, client):
    made = client.create_stack_set(
        StackSetName="life",
        Description="things everywhere",
        TemplateBody=TEMPLATE,
        Parameters=given(Name="one"),
        Tags=[{"Key": "team", "Value": "a"}],
        AdministrationRoleARN=f"arn:aws:iam::{ADMIN}:role/Admin",
        ExecutionRoleName="Execution",
    )
    assert fill(client, "life", OperationPreferences={"RegionConcurrencyType": "PARALLEL"})["Status"] == "SUCCEEDED"
    stack_set = client.describe_stack_set(StackSetName="life")["StackSet"]
    assert stack_set["StackSetId"] == made["StackSetId"]
    assert (stack_set["Status"], stack_set["PermissionModel"]) == ("ACTIVE", "SELF_MANAGED")
    assert stack_set["AdministrationRoleARN"].endswith("role/Admin")
    assert stack_set["ExecutionRoleName"] == "Execution"
    assert sorted(stack_set["Regions"]) == sorted(REGIONS)
    instance = client.describe_stack_instance(
        StackSetName="life", StackInstanceAccount=OTHER, StackInstanceRegion="eu-west-1"
    )["StackInstance"]
    there = server.client("cloudformation", account=OTHER, region="eu-west-1")
    (stack,) = there.describe_stacks(StackName=instance["StackId"])["Stacks"]
    assert stack["StackName"].startswith("StackSet-life-")
    assert stack["Outputs"][0]["OutputValue"] == f"{OTHER} eu-west-1"
    assert stack["Tags"] == [{"Key": "team", "Value": "a"}]
    assert stack["RoleARN"] == f"arn:aws:iam::{OTHER}:role/Execution"

    operation = client.update_stack_instances(
        StackSetName="life", Accounts=[OTHER], Regions=["eu-west-1"], ParameterOverrides=given(Label="blue")
    )["OperationId"]
    assert wait(client, "life", operation)["Action"] == "UPDATE"
    assert label_of(server, OTHER, "eu-west-1", "one") == "blue"
    operation = client.update_stack_set(
        StackSetName="life",
        UsePreviousTemplate=True,
        Parameters=[{"ParameterKey": "Name", "UsePreviousValue": True}, *given(Label="green")],
    )["OperationId"]
    assert wait(client, "life", operation)["Status"] == "SUCCEEDED"
    assert label_of(server, ADMIN, "us-east-1", "one") == "green"
    assert label_of(server, OTHER, "eu-west-1", "one") == "blue"
    results = client.list_stack_set_operation_results(StackSetName="life", OperationId=operation)["Summaries"]
    assert [each["Status"] for each in results] == ["SUCCEEDED"] * 4
    assert len(client.list_stack_set_operations(StackSetName="life")["Summaries"]) == 3

    with pytest.raises(client.exceptions.StackSetNotEmptyException):
        client.delete_stack_set(StackSetName="life")
    assert empty(client, "life")["Status"] == "SUCCEEDED"
    assert not (server.things / OTHER / "eu-west-1" / "one.json").exists()
    client.delete_stack_set(StackSetName="life")
    with pytest.raises(client.exceptions.StackSetNotFoundException, match="StackSet life not found"):
        client.describe_stack_set(StackSetName="life")
    deleted = client.list_stack_sets(Status="DELETED")["Summaries"]
    assert made["StackSetId"] in [each["StackSetId"] for each in deleted]


def test_drift_of_the_instances(server, client):
    client.create_stack_set(StackSetName="drift", TemplateBody=TEMPLATE, Parameters=given(Name="drift"))
    fill(client, "drift", regions=["us-east-1"])
    file = server.things / OTHER / "us-east-1" / "drift.json"
    file.write_text(json.dumps({"Name": "drift", "Label": "other"}))
    operation = client.detect_stack_set_drift(StackSetName="drift")["OperationId"]
    details = wait(client, "drift", operation)["StackSetDriftDetectionDetails"]
    assert (details["DriftStatus"], details["DriftDetectionStatus"]) == ("DRIFTED", "COMPLETED")
    assert details["DriftedStackInstancesCount"] == 1
    drifted = [{"Name": "DRIFT_STATUS", "Values": "DRIFTED"}]
    assert list(shown(client, "drift", Filters=drifted)) == [(OTHER, "us-east-1")]
    (found,) = client.list_stack_instance_resource_drifts(
        StackSetName="drift", StackInstanceAccount=OTHER, StackInstanceRegion="us-east-1", OperationId=operation
    )["Summaries"]
    assert found["StackResourceDriftStatus"] == "MODIFIED"
    assert found["PropertyDifferences"][0]["PropertyPath"] == "/Label"


def test_a_failure_ends_the_operation_and_says_why(client):
    client.create_stack_set(StackSetName="bad", TemplateBody=TEMPLATE, Parameters=given(Name="bad"))
    found = fill(client, "bad")
    assert (found["Status"], found["StatusDetails"]["FailedStackInstancesCount"]) == ("FAILED", 1)
    results = client.list_stack_set_operation_results(StackSetName="bad", OperationId=found["OperationId"])
    failed, *cancelled = results["Summaries"]
    assert failed["Status"] == "FAILED"
    assert failed["StatusReason"].startswith(f"ResourceLogicalId:Thing, ResourceType:{THING}, ResourceStatusReason:")
    assert "a bad name" in failed["StatusReason"]
    assert {(each["Status"], each["StatusReason"]) for each in cancelled} == {
        ("CANCELLED", "Cancelled since failure tolerance has exceeded")
    }
    assert max(shown(client, "bad").values()) == ("OUTDATED", "FAILED")


def test_stacks_are_imported(server, client):
    there = server.client("cloudformation", account=OTHER, region="eu-west-1")
    stack = there.create_stack(StackName="own", TemplateBody=TEMPLATE, Parameters=given(Name="own", Label="mine"))
    there.get_waiter("stack_create_complete").wait(StackName="own")
    client.create_stack_set(StackSetName="imports", TemplateBody=TEMPLATE, Parameters=given(Name="own"))
    operation = client.import_stacks_to_stack_set(StackSetName="imports", StackIds=[stack["StackId"]])["OperationId"]
    assert wait(client, "imports", operation)["Status"] == "SUCCEEDED"
    instance = client.describe_stack_instance(
        StackSetName="imports", StackInstanceAccount=OTHER, StackInstanceRegion="eu-west-1"
    )["StackInstance"]
    assert (instance["StackId"], instance["Status"]) == (stack["StackId"], "CURRENT")
    assert instance["ParameterOverrides"] == given(Label="mine")
    empty(client, "imports", retain=True)
    assert there.describe_stacks(StackName="own")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"


def test_an_operation_that_runs_refuses_others_and_is_stopped(client):
    client.create_stack_set(StackSetName="slow", TemplateBody=TEMPLATE, Parameters=given(Name="slow"))
    asked = {"StackSetName": "slow", "Accounts": [ADMIN, OTHER], "Regions": REGIONS, "OperationId": "first"}
    client.create_stack_instances(**asked)
    assert client.create_stack_instances(**asked)["OperationId"] == "first"
    with pytest.raises(client.exceptions.OperationIdAlreadyExistsException):
        client.create_stack_instances(**{**asked, "Accounts": [OTHER]})
    with pytest.raises(client.exceptions.OperationInProgressException, match="Another Operation on StackSet arn:aws"):
        client.create_stack_instances(**{**asked, "OperationId": "second"})
    client.stop_stack_set_operation(StackSetName="slow", OperationId="first")
    assert wait(client, "slow", "first")["Status"] == "STOPPED"
    assert sorted(each[1] for each in shown(client, "slow").values())[:3] == ["CANCELLED"] * 3


def test_a_stack_set_as_a_resource(server, client):
    def template(*regions, name="resource", label="red"):
        group = {
            "DeploymentTargets": {"Accounts": [OTHER]},
            "Regions": list(regions),
            "ParameterOverrides": [{"ParameterKey": "Label", "ParameterValue": label}],
        }
        properties = {
            "StackSetName": "resource",
            "PermissionModel": "SELF_MANAGED",
            "TemplateBody": TEMPLATE,
            "Parameters": [{"ParameterKey": "Name", "ParameterValue": name}],
            "StackInstancesGroup": [group],
        }
        resource = {"Type": "AWS::CloudFormation::StackSet", "Properties": properties}
        return json.dumps({"Resources": {"Set": resource}, "Outputs": {"Set": {"Value": {"Ref": "Set"}}}})

    client.create_stack(StackName="holder", TemplateBody=template(*REGIONS))
    client.get_waiter("stack_create_complete").wait(StackName="holder")
    (stack,) = client.describe_stacks(StackName="holder")["Stacks"]
    made = client.describe_stack_set(StackSetName="resource")["StackSet"]
    assert stack["Outputs"][0]["OutputValue"] == made["StackSetId"]
    assert set(shown(client, "resource").values()) == {("CURRENT", "SUCCEEDED")}
    client.update_stack(StackName="holder", TemplateBody=template("eu-west-1", label="blue"))
    client.get_waiter("stack_update_complete").wait(StackName="holder")
    assert list(shown(client, "resource")) == [(OTHER, "eu-west-1")]
    assert label_of(server, OTHER, "eu-west-1", "resource") == "blue"
    client.update_stack(StackName="holder", TemplateBody=template("eu-west-1", name="bad"))
    with pytest.raises(WaiterError):
        client.get_waiter("stack_update_complete").wait(StackName="holder")
    (stack,) = client.describe_stacks(StackName="holder")["Stacks"]
    assert stack["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    events = client.describe_stack_events(StackName="holder")["StackEvents"]
    assert any("was unexpectedly stopped or failed" in each.get("ResourceStatusReason", "") for each in events)
    assert shown(client, "resource") == {(OTHER, "eu-west-1"): ("CURRENT", "SUCCEEDED")}
    client.delete_stack(StackName="holder")
    client.get_waiter("stack_delete_complete").wait(StackName="holder")
    with pytest.raises(client.exceptions.StackSetNotFoundException):
        client.describe_stack_set(StackSetName="resource")


def test_what_is_refused(client):
    for more in ({"PermissionModel": "SERVICE_MANAGED"}, {"CallAs": "DELEGATED_ADMIN"}):
        with pytest.raises(ClientError, match="You must enable organizations access"):
            client.create_stack_set(StackSetName="managed", TemplateBody=TEMPLATE, Parameters=given(Name="x"), **more)
    with pytest.raises(ClientError, match=r"Parameters: \[Name\] must have values"):
        client.create_stack_set(StackSetName="unnamed", TemplateBody=TEMPLATE)
    client.create_stack_set(StackSetName="twice", TemplateBody=TEMPLATE, Parameters=given(Name="x"))
    with pytest.raises(client.exceptions.NameAlreadyExistsException):
        client.create_stack_set(StackSetName="twice", TemplateBody=TEMPLATE, Parameters=given(Name="y"))
    with pytest.raises(client.exceptions.OperationNotFoundException):
        client.describe_stack_set_operation(StackSetName="twice", OperationId="none")
    with pytest.raises(client.exceptions.StackInstanceNotFoundException):
        client.update_stack_instances(StackSetName="twice", Accounts=[ADMIN], Regions=["us-east-1"])


@pytest.mark.slow
def test_the_aws_cli(server, tmp_path):
    (tmp_path / "template.json").write_text(TEMPLATE)
    with contextlib.closing(AwsCli(server.url, tmp_path, region="us-east-1")) as cli:
        aws = cli.run
        account = {"account": ADMIN}
        aws(
            *("cloudformation", "create-stack-set", "--stack-set-name", "cli", "--template-body"),
            *(f"file://{tmp_path}/template.json", "--parameters", "ParameterKey=Name,ParameterValue=cli"),
            **account,
        )
        made = aws(
            *("cloudformation", "create-stack-instances", "--stack-set-name", "cli", "--accounts", OTHER),
            *("--regions", *REGIONS, "--operation-preferences", "RegionOrder=eu-west-1,us-east-1"),
            **account,
        )
        found = wait(server.client("cloudformation"), "cli", made["OperationId"])
        assert found["OperationPreferences"] == {"RegionOrder": ["eu-west-1", "us-east-1"]}
        listed = aws("cloudformation", "list-stack-instances", "--stack-set-name", "cli", **account)
        assert [each["Status"] for each in listed["Summaries"]] == ["CURRENT", "CURRENT"]


@needs_guide
def test_the_guides_module_is_published_in_several_regions(server, client):
    name = "MyOrg::MyService::MyType::MODULE"
    url = upload(server, module_package(name), key="module.zip")
    client.create_stack_set(
        StackSetName="publish",
        TemplateBody=publishing_templates()[1],
        Parameters=given(SchemaPackageURL=url, FirstTimePublishing="true"),
    )
    assert fill(client, "publish", accounts=[ADMIN])["Status"] == "SUCCEEDED"
    for region in REGIONS:
        there = server.client("cloudformation", region=region)
        publisher = there.describe_publisher()["PublisherId"]
        told = there.describe_type(Type="MODULE", TypeName=name, PublisherId=publisher)
        assert told["PublicVersionNumber"] == "1.0.0"
    url = upload(server, module_package(name, files={"more.txt": "2"}), key="module-2.zip")
    operation = client.update_stack_instances(
        StackSetName="publish",
        Accounts=[ADMIN],
        Regions=["eu-west-1"],
        ParameterOverrides=given(SchemaPackageURL=url, FirstTimePublishing="false", VersionToPublish="1.2.3"),
    )["OperationId"]
    assert wait(client, "publish", operation)["Status"] == "SUCCEEDED"
    versions = []
    for region in REGIONS:
        there = server.client("cloudformation", region=region)
        publisher = there.describe_publisher()["PublisherId"]
        versions.append(there.describe_type(Type="MODULE", TypeName=name, PublisherId=publisher)["PublicVersionNumber"])
    assert versions == ["1.0.0", "1.2.3"]


@pytest.mark.slow
def test_an_operation_outlives_its_server(tmp_path):
    content = package(tmp_path)
    with serving(tmp_path, forked=True) as first:
        register_everywhere(first, content)
        client = first.client("cloudformation")
        client.create_stack_set(StackSetName="killed", TemplateBody=TEMPLATE, Parameters=given(Name="slow"))
        operation = client.create_stack_instances(
            StackSetName="killed",
            Accounts=[ADMIN, OTHER],
            Regions=REGIONS,
            OperationPreferences={"RegionConcurrencyType": "PARALLEL"},
        )["OperationId"]
        time.sleep(0.5)
        first.stop(signal.SIGKILL)
    with serving(tmp_path, forked=True) as second:
        client = second.client("cloudformation")
        assert wait(client, "killed", operation)["Status"] == "SUCCEEDED"
        assert set(shown(client, "killed").values()) == {("CURRENT", "SUCCEEDED")}
        for account in (ADMIN, OTHER):
            for region in REGIONS:
                stacks = second.client("cloudformation", account=account, region=region).describe_stacks()["Stacks"]
                assert [each["StackStatus"] for each in stacks] == ["CREATE_COMPLETE"]
