"""What guards stacks, and ways out of what went wrong, with boto3 and the AWS CLI against `cfn serve`."""

import contextlib
import json
import os
import subprocess
import sys
import time

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.registry import THING
from support.things import serving_things


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_things(tmp_path_factory.mktemp("operations")) as running:
        yield running


@pytest.fixture
def client(server):
    return server.client("cloudformation")


def template(**labels):
    """Things named as their keys say, one after the other."""
    resources, before = {}, None
    for name, label in labels.items():
        resources[name] = {"Type": THING, "Properties": {"Name": name, "Label": label}}
        if before is not None:
            resources[name]["DependsOn"] = before
        before = name
    return json.dumps({"Resources": resources})


def create(client, name, body, **more):
    arn = client.create_stack(StackName=name, TemplateBody=body, **more)["StackId"]
    client.get_waiter("stack_create_complete").wait(StackName=name)
    return arn


def wait(client, name, waiter, expected):
    """Wait with a waiter of botocore's that may call the outcome a failure."""
    with contextlib.suppress(WaiterError):
        client.get_waiter(waiter).wait(StackName=name)
    (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    assert stack["StackStatus"] == expected, stack
    return stack


def events(client, name, status):
    found = client.describe_stack_events(StackName=name)["StackEvents"]
    return [
        (each["LogicalResourceId"], each.get("ResourceStatusReason"))
        for each in reversed(found)
        if each["ResourceStatus"] == status
    ]


def test_a_stack_policy(server, client):
    allow = {"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"}
    deny = {**allow, "Effect": "Deny", "Resource": "LogicalResourceId/Pkept"}
    policy = json.dumps({"Statement": [allow, deny]})
    server.client("s3").put_object(Bucket="packages-here", Key="policy.json", Body=policy)
    url = f"{server.url}/packages-here/policy.json"
    create(client, "policy", template(Pkept="red", Pfree="red"), StackPolicyURL=url)
    assert json.loads(client.get_stack_policy(StackName="policy")["StackPolicyBody"]) == json.loads(policy)
    client.update_stack(StackName="policy", TemplateBody=template(Pkept="blue", Pfree="blue"))
    wait(client, "policy", "stack_update_complete", "UPDATE_ROLLBACK_COMPLETE")
    told = "Action denied by stack policy: Statement [#2] does not allow [Update:Modify] for resource"
    assert events(client, "policy", "UPDATE_FAILED")[0] == ("Pkept", f"{told} [LogicalResourceId/Pkept];")
    assert {server.things()[name]["Label"] for name in ("Pkept", "Pfree")} == {"red"}
    client.update_stack(
        StackName="policy",
        TemplateBody=template(Pkept="blue", Pfree="blue"),
        StackPolicyDuringUpdateBody=json.dumps({"Statement": allow}),
    )
    client.get_waiter("stack_update_complete").wait(StackName="policy")
    assert {server.things()[name]["Label"] for name in ("Pkept", "Pfree")} == {"blue"}
    arn = client.create_change_set(
        StackName="policy", ChangeSetName="c", TemplateBody=template(Pfree="blue"), ChangeSetType="UPDATE"
    )["Id"]
    client.execute_change_set(ChangeSetName=arn)
    wait(client, "policy", "stack_update_complete", "UPDATE_ROLLBACK_COMPLETE")
    assert "[Update:Delete]" in events(client, "policy", "UPDATE_FAILED")[-1][1]
    assert "Pkept" in server.things()
    for wrong, message in (
        (
            {"StackPolicyBody": "{}", "StackPolicyURL": url},
            "You cannot specify both StackPolicyURL and StackPolicyBody",
        ),
        ({"StackPolicyBody": '{"Statement": 1}'}, "Error validating stack policy: Invalid stack policy"),
    ):
        with pytest.raises(ClientError) as refused:
            client.set_stack_policy(StackName="policy", **wrong)
        assert refused.value.response["Error"]["Message"] == message
    client.set_stack_policy(StackName="policy", StackPolicyBody="{}")
    client.delete_stack(StackName="policy")
    client.get_waiter("stack_delete_complete").wait(StackName="policy")


def test_termination_protection(client):
    arn = create(client, "protected", template(Tp="red"), EnableTerminationProtection=True)
    with pytest.raises(ClientError, match=r"Stack \[protected\] cannot be deleted while TerminationProtection"):
        client.delete_stack(StackName="protected")
    answer = client.update_termination_protection(StackName="protected", EnableTerminationProtection=False)
    assert answer["StackId"] == arn
    assert client.describe_stacks(StackName="protected")["Stacks"][0]["EnableTerminationProtection"] is False
    client.delete_stack(StackName="protected")
    client.get_waiter("stack_delete_complete").wait(StackName="protected")


def test_a_failure_is_kept_mended_or_rolled_back(server, client):
    body = template(Ka="red", bad="red")
    client.create_stack(StackName="kept", TemplateBody=body, DisableRollback=True)
    stack = wait(client, "kept", "stack_create_complete", "CREATE_FAILED")
    assert stack["DisableRollback"] is True
    assert "Ka" in server.things()
    with pytest.raises(ClientError, match="please use the disable-rollback parameter with update-stack API"):
        client.update_stack(StackName="kept", TemplateBody=template(Ka="red"))
    client.update_stack(StackName="kept", TemplateBody=template(Ka="red", Kb="red"), DisableRollback=True)
    client.get_waiter("stack_update_complete").wait(StackName="kept")
    arn = client.create_change_set(
        StackName="kept", ChangeSetName="c", TemplateBody=template(Ka="blue", Kn="new", Kb="stuck")
    )["Id"]
    client.execute_change_set(ChangeSetName=arn, DisableRollback=True)
    wait(client, "kept", "stack_update_complete", "UPDATE_FAILED")
    assert (server.things()["Ka"]["Label"], "Kn" in server.things()) == ("blue", True)
    answer = client.rollback_stack(StackName="kept", ClientRequestToken="back")
    assert answer["StackId"] == stack["StackId"]
    client.get_waiter("stack_rollback_complete").wait(StackName="kept")
    assert (server.things()["Ka"]["Label"], "Kn" in server.things()) == ("red", False)
    newest = client.describe_stack_events(StackName="kept")["StackEvents"][0]
    assert (newest["OperationId"], newest["ClientRequestToken"]) == (answer["OperationId"], "back")
    client.delete_stack(StackName="kept")
    client.get_waiter("stack_delete_complete").wait(StackName="kept")


def test_a_rollback_that_fails_is_finished_with_the_aws_cli(server, client):
    create(client, "stuck", template(Sa="red", Sb="red"))
    client.update_stack(StackName="stuck", TemplateBody=template(Sa="blue", Sb="slow"))
    while ("Sb", None) not in events(client, "stuck", "UPDATE_IN_PROGRESS"):
        time.sleep(0.1)
    server.change("Sa", Locked=True)
    client.cancel_update_stack(StackName="stuck")
    wait(client, "stuck", "stack_rollback_complete", "UPDATE_ROLLBACK_FAILED")
    assert events(client, "stuck", "UPDATE_ROLLBACK_IN_PROGRESS") == [("stuck", "User Initiated")]
    environment = {
        **os.environ,
        "AWS_ACCESS_KEY_ID": "111111111111",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": server.url,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    command = [sys.executable, "-m", "awscli", "cloudformation", "continue-update-rollback", "--stack-name", "stuck"]
    done = subprocess.run(
        [*command, "--resources-to-skip", "Sa"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    client.get_waiter("stack_rollback_complete").wait(StackName="stuck")
    assert [server.things()[name]["Label"] for name in ("Sa", "Sb")] == ["blue", "red"]


def test_a_deletion_that_fails_is_forced(server, client):
    arn = create(client, "forced", template(Fa="red", Fb="red"))
    server.change("Fa", Locked=True)
    client.delete_stack(StackName="forced")
    wait(client, "forced", "stack_delete_complete", "DELETE_FAILED")
    client.delete_stack(StackName="forced", DeletionMode="FORCE_DELETE_STACK")
    client.get_waiter("stack_delete_complete").wait(StackName="forced")
    assert [name for name, _ in events(client, arn, "DELETE_SKIPPED")] == ["Fa"]
    assert ("Fa" in server.things(), "Fb" in server.things()) == (True, False)


def test_a_creation_that_fails_deletes_its_stack(client):
    arn = client.create_stack(StackName="gone", TemplateBody=template(Ga="red", bad="red"), OnFailure="DELETE")[
        "StackId"
    ]
    wait(client, arn, "stack_delete_complete", "DELETE_COMPLETE")


def test_a_stack_that_is_deleted_while_it_is_made(server, client):
    arn = client.create_stack(StackName="early", TemplateBody=template(Da="red", Db="slow"))["StackId"]
    while ("Db", None) not in events(client, "early", "CREATE_IN_PROGRESS"):
        time.sleep(0.1)
    client.delete_stack(StackName="early")
    client.get_waiter("stack_delete_complete").wait(StackName="early")
    assert client.describe_stacks(StackName=arn)["Stacks"][0]["StackStatus"] == "DELETE_COMPLETE"
    assert not {"Da", "Db"} & set(server.things())


def test_what_exists_is_imported(server, client):
    server.change("Ia", Name="Ia", Label="green")
    body = json.dumps(
        {"Resources": {"Ia": {"Type": THING, "DeletionPolicy": "Retain", "Properties": {"Name": "Ia", "Label": "red"}}}}
    )
    (summary,) = client.get_template_summary(TemplateBody=body)["ResourceIdentifierSummaries"]
    identifier = {summary["ResourceIdentifiers"][0]: "Ia"}
    wanted = {"ResourceType": THING, "LogicalResourceId": "Ia", "ResourceIdentifier": identifier}
    arn = client.create_change_set(
        StackName="imported", ChangeSetName="c", ChangeSetType="IMPORT", TemplateBody=body, ResourcesToImport=[wanted]
    )["Id"]
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=arn)
    (change,) = client.describe_change_set(ChangeSetName=arn)["Changes"]
    assert change["ResourceChange"] == {
        "Action": "Import",
        "LogicalResourceId": "Ia",
        "PhysicalResourceId": "Ia",
        "ResourceType": THING,
        "Scope": [],
        "Details": [],
    }
    client.execute_change_set(ChangeSetName=arn)
    client.get_waiter("stack_import_complete").wait(StackName="imported")
    assert server.things()["Ia"]["Label"] == "green"
    drift = client.detect_stack_resource_drift(StackName="imported", LogicalResourceId="Ia")["StackResourceDrift"]
    assert drift["StackResourceDriftStatus"] == "MODIFIED"
    client.update_stack(StackName="imported", TemplateBody=body.replace('"red"', '"blue"'))
    client.get_waiter("stack_update_complete").wait(StackName="imported")
    assert server.things()["Ia"]["Label"] == "blue"
    wanted["ResourceIdentifier"] = {next(iter(identifier)): "nobody"}
    arn = client.create_change_set(
        StackName="none", ChangeSetName="c", ChangeSetType="IMPORT", TemplateBody=body, ResourcesToImport=[wanted]
    )["Id"]
    found = client.describe_change_set(ChangeSetName=arn)
    assert (found["Status"], found["StatusReason"]) == ("FAILED", "no such thing")


def test_events_by_operation(client):
    client.create_stack(StackName="told", TemplateBody=template(Ea="red", bad="red"), ClientRequestToken="one")
    wait(client, "told", "stack_create_complete", "ROLLBACK_COMPLETE")
    operation = client.describe_stack_events(StackName="told")["StackEvents"][0]["OperationId"]
    found = client.get_paginator("describe_events").paginate(OperationId=operation).build_full_result()
    assert {each["OperationType"] for each in found["OperationEvents"]} == {"CREATE_STACK"}
    assert {each["ClientRequestToken"] for each in found["OperationEvents"]} == {"one"}
    assert found["OperationEvents"][0]["OperationStatus"] == "FAILED"
    (failed,) = client.describe_events(StackName="told", Filters={"FailedEvents": True})["OperationEvents"]
    assert (failed["LogicalResourceId"], failed["EventType"]) == ("bad", "PROVISIONING_ERROR")
    client.create_stack(StackName="other", TemplateBody=template(Eo="red"), ClientRequestToken="one")
    client.get_waiter("stack_create_complete").wait(StackName="other")
    with pytest.raises(client.exceptions.TokenAlreadyExistsException):
        client.update_stack(StackName="other", TemplateBody=template(Eo="blue"), ClientRequestToken="one")
    arn = client.create_change_set(StackName="other", ChangeSetName="none", TemplateBody=template(Eo="red"))["Id"]
    (event,) = client.describe_events(ChangeSetName=arn)["OperationEvents"]
    assert (event["EventType"], event["OperationType"]) == ("STACK_EVENT", "CREATE_CHANGESET")
    assert "didn't contain changes" in event["ResourceStatusReason"]


def test_what_the_service_does_not_take(server, client):
    body = json.dumps({"Description": "x" * 1000, "Resources": {"A": {"Type": THING, "Metadata": "x" * 51_000}}})
    with pytest.raises(ClientError, match="Member must have length less than or equal to 51200"):
        client.validate_template(TemplateBody=body)
    server.client("s3").put_object(Bucket="packages-here", Key="large.json", Body=body)
    client.validate_template(TemplateURL=f"{server.url}/packages-here/large.json")
    server.client("s3").put_object(Bucket="packages-here", Key="larger.json", Body=body + " " * 1_000_000)
    with pytest.raises(ClientError, match="Template may not exceed 1000000 bytes in size"):
        client.validate_template(TemplateURL=f"{server.url}/packages-here/larger.json")
    for operation in (client.list_stacks, client.list_exports, client.describe_stacks):
        with pytest.raises(ClientError, match="Invalid NextToken"):
            operation(NextToken="nonsense")
    with pytest.raises(ClientError, match="Exactly one of StackName and PhysicalResourceId"):
        client.describe_stack_resources()
    limits = {each["Name"]: each["Value"] for each in client.describe_account_limits()["AccountLimits"]}
    assert limits["StackOutputsLimit"] == 200
    assert client.estimate_template_cost(TemplateBody=template(A="red"))["Url"].startswith("https://")
    with pytest.raises(ClientError, match="ActivateOrganizationsAccess"):
        client.activate_organizations_access()


def test_the_changes_of_a_change_set_have_pages(client):
    names = [f"Topic{number:03}" for number in range(101)]
    body = json.dumps({"Resources": {name: {"Type": "AWS::SNS::Topic"} for name in names}})
    made = client.create_change_set(StackName="many", ChangeSetName="c", ChangeSetType="CREATE", TemplateBody=body)
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=made["Id"])
    pages = [
        [each["ResourceChange"]["LogicalResourceId"] for each in page["Changes"]]
        for page in client.get_paginator("describe_change_set").paginate(ChangeSetName=made["Id"])
    ]
    assert [len(page) for page in pages] == [100, 1]
    assert sorted(pages[0] + pages[1]) == names
    client.delete_change_set(ChangeSetName=made["Id"])
