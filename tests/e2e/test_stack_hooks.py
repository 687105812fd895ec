"""Hooks on resources, stacks and change sets with boto3 against `cfn serve`, and the events that it writes."""

import json
import signal
import time

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.registry import GUARD, hook_package, hook_schema
from support.serving import serving, upload

TOPIC = "AWS::SNS::Topic"
TEMPLATE = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {DisplayName: %s}\n"

# A hook that wants nothing black: no resource, no template, and no change of either. It needs two calls.
HANDLERS = """
import json, urllib.request

def resource(event, context):
    data, answer = event["requestData"], {"clientRequestToken": event["clientRequestToken"]}
    if not event["requestContext"]["callbackContext"]:
        delay = 1 if data["targetLogicalId"] == "killed" else 0
        return {**answer, "hookStatus": "IN_PROGRESS", "callbackContext": {"seen": True}, "callbackDelaySeconds": delay}
    seen = json.dumps(data["targetModel"])
    if "payload" in data:
        with urllib.request.urlopen(data["payload"]) as response:
            seen = response.read().decode()
    if "broken" in seen:
        raise RuntimeError("this hook does not know what to do")
    if "black" in seen:
        note = {"annotationName": "Colour", "status": "FAILED", "remediationMessage": "paint it", "severityLevel": "HIGH"}
        return {**answer, "hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "nothing black",
                "annotations": [note]}
    return {**answer, "hookStatus": "SUCCESS", "message": "fine: " + seen}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hooks")
    handler = {"targetNames": ["AWS::*::*"], "permissions": []}
    schema = hook_schema(handlers=dict.fromkeys(("preCreate", "preUpdate", "preDelete"), handler))
    with serving(folder, "--events", str(folder / "events" / "hooks.jsonl"), forked=True) as running:
        client = running.client("cloudformation")
        url = upload(running, hook_package(schema=schema, handlers=HANDLERS), key="guard.zip")
        token = client.register_type(Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=url)["RegistrationToken"]
        client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
        yield running


@pytest.fixture
def client(server):
    return server.client("cloudformation")


@pytest.fixture
def configure(client):
    def change(*operations, mode="FAIL", **more):
        settings = {"HookInvocationStatus": "ENABLED", "FailureMode": mode, "Properties": {}, **more}
        inner = {"HookConfiguration": {**settings, "TargetOperations": list(operations)}}
        text = json.dumps({"CloudFormationConfiguration": inner})
        return client.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=text)["ConfigurationArn"]

    return change


def create(client, name, colour, *, waits="stack_create_complete"):
    arn = client.create_stack(StackName=name, TemplateBody=TEMPLATE % colour)["StackId"]
    client.get_waiter(waits).wait(StackName=arn)
    return arn


def written(server, count, arn):
    """The events of a stack's hooks in the file, once there are as many."""
    file = server.folder / "events" / "hooks.jsonl"
    for _ in range(100):
        told = [json.loads(line) for line in file.read_text().splitlines()]
        found = [each for each in told if each["resources"] == [arn] and "Hook" in each["detail-type"]]
        if len(found) >= count:
            break
        time.sleep(0.05)
    return found


def test_a_resource_that_a_hook_refuses(server, client, configure):
    configure("RESOURCE")
    with pytest.raises(WaiterError):
        create(client, "resource", "black")
    arn = client.describe_stacks(StackName="resource")["Stacks"][0]["StackId"]
    events = client.describe_stack_events(StackName=arn)["StackEvents"]
    (told,) = [each for each in events if each.get("HookStatus") == "HOOK_COMPLETE_FAILED"]
    assert (told["HookStatusReason"], told["HookFailureMode"], told["HookInvocationPoint"]) == (
        "Hook failed with message: nothing black",
        "FAIL",
        "PRE_PROVISION",
    )
    result = client.get_hook_result(HookResultId=told["HookInvocationId"])
    assert result["Target"] == {
        "TargetType": "RESOURCE",
        "TargetTypeName": TOPIC,
        "TargetId": "Topic",
        "Action": "CREATE",
    }
    assert result["Annotations"] == [
        {
            "AnnotationName": "Colour",
            "Status": "FAILED",
            "RemediationMessage": "paint it",
            "SeverityLevel": "HIGH",
        }
    ]
    found = client.list_hook_results(TypeArn=result["TypeArn"], Status="HOOK_COMPLETE_FAILED")["HookResults"]
    listed = next(each for each in found if each["HookResultId"] == told["HookInvocationId"])
    assert (listed["HookExecutionTarget"], listed["TargetType"], listed["InvokedAt"]) == (
        arn,
        "RESOURCE",
        result["InvokedAt"],
    )
    begun, ended = written(server, 2, arn)
    assert (begun["detail"]["status"], begun["source"]) == ("HOOK_IN_PROGRESS", "aws.cloudformation")
    assert (ended["detail"]["status"], ended["detail"]["hook-detail"]["hook-type-name"]) == (
        "HOOK_COMPLETE_FAILED",
        GUARD,
    )


def test_secrets_that_a_hook_repeats_are_masked(server, client, configure):
    configure("RESOURCE")
    template = "Parameters: {Code: {Type: String, NoEcho: true}}\n" + TEMPLATE % "!Ref Code"
    given = [{"ParameterKey": "Code", "ParameterValue": "canary-of-the-user"}]
    arn = client.create_stack(StackName="masked", TemplateBody=template, Parameters=given)["StackId"]
    client.get_waiter("stack_create_complete").wait(StackName=arn)
    events = client.describe_stack_events(StackName=arn)["StackEvents"]
    reasons = [each["HookStatusReason"] for each in events if each.get("HookStatus") == "HOOK_COMPLETE_SUCCEEDED"]
    reasons += [each["detail"]["status-reason"] for each in written(server, 2, arn)][1:]
    reasons += [each["HookStatusReason"] for each in client.list_hook_results()["HookResults"][:1]]
    told = 'Hook succeeded with message: fine: {"resourceProperties": {"DisplayName": "********"}}'
    assert reasons == [told] * 3


def test_a_warning_and_a_hook_that_breaks(client, configure):
    configure("RESOURCE", mode="WARN")
    create(client, "broken", "broken")
    events = client.describe_stack_events(StackName="broken")["StackEvents"]
    (told,) = [each for each in events if each.get("HookStatus") == "HOOK_FAILED"]
    assert "this hook does not know what to do" in told["HookStatusReason"]
    assert told["HookStatusReason"].endswith("Failure was ignored under WARN mode.")
    assert any(
        each.get("ResourceStatusReason") == "Hook invocations complete. Resource creation initiated" for each in events
    )


def test_a_stack_that_a_hook_refuses(client, configure):
    configure("STACK", StackFilters={"FilteringCriteria": "ALL", "StackNames": {"Include": ["guarded*"]}})
    create(client, "free", "black")
    with pytest.raises(WaiterError):
        create(client, "guarded-1", "black")
    (stack,) = client.describe_stacks(StackName="guarded-1")["Stacks"]
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    events = client.describe_stack_events(StackName="guarded-1")["StackEvents"]
    assert {each["LogicalResourceId"] for each in events} == {"guarded-1"}
    (listed,) = client.list_hook_results(TargetType="STACK", TargetId=stack["StackId"])["HookResults"]
    assert listed["Status"] == "HOOK_COMPLETE_FAILED"

    arn = create(client, "guarded-2", "red")
    client.update_stack(StackName=arn, TemplateBody=TEMPLATE % "black")
    with pytest.raises(WaiterError):
        client.get_waiter("stack_update_complete").wait(StackName=arn)
    assert client.describe_stacks(StackName=arn)["Stacks"][0]["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    client.delete_stack(StackName=arn)
    client.get_waiter("stack_delete_complete").wait(StackName=arn)


def test_a_change_set_that_a_hook_refuses(client, configure):
    configure("CHANGE_SET", "RESOURCE")

    def change_set(name, colour):
        made = client.create_change_set(
            StackName="changed", ChangeSetName=name, ChangeSetType="CREATE", TemplateBody=TEMPLATE % colour
        )
        return made["Id"]

    refused = change_set("black", "black")
    with pytest.raises(WaiterError):
        client.get_waiter("change_set_create_complete").wait(ChangeSetName=refused)
    assert client.describe_change_set(ChangeSetName=refused)["StatusReason"] == (
        f"Change set creation failed. The following hook(s) failed: [{GUARD}]"
    )
    assert client.describe_change_set_hooks(ChangeSetName=refused)["Status"] == "UNAVAILABLE"
    (listed,) = client.list_hook_results(TargetType="CHANGE_SET", TargetId=refused)["HookResults"]
    assert listed["HookStatusReason"] == "Hook failed with message: nothing black"

    made, told = client.describe_events(ChangeSetName=refused)["OperationEvents"]
    assert (made["OperationStatus"], told["EventType"], told["HookType"]) == ("FAILED", "HOOK_INVOCATION_ERROR", GUARD)

    allowed = change_set("red", "red")
    client.get_waiter("change_set_create_complete").wait(ChangeSetName=allowed)
    planned = client.describe_change_set_hooks(ChangeSetName=allowed)
    assert planned["Status"] == "PLANNED"
    (hook,) = planned["Hooks"]
    assert hook["TypeName"] == GUARD
    assert hook["TargetDetails"]["ResourceTargetDetails"] == {
        "LogicalResourceId": "Topic",
        "ResourceType": TOPIC,
        "ResourceAction": "Add",
    }
    (change,) = client.describe_change_set(ChangeSetName=allowed)["Changes"]
    assert change["HookInvocationCount"] == 1
    client.execute_change_set(ChangeSetName=allowed)
    client.get_waiter("stack_create_complete").wait(StackName="changed")


def test_a_resource_of_cloud_control_and_its_import_are_asked_about_under_every_target(server, client, configure):
    configure("RESOURCE", "STACK", "CHANGE_SET", "CLOUD_CONTROL")
    control = server.client("cloudcontrol")
    asked = control.create_resource(TypeName=TOPIC, DesiredState='{"DisplayName": "red"}')["ProgressEvent"]
    control.get_waiter("resource_request_success").wait(RequestToken=asked["RequestToken"])
    made = control.get_resource_request_status(RequestToken=asked["RequestToken"])["ProgressEvent"]
    topic = {"Type": TOPIC, "DeletionPolicy": "Retain", "Properties": {"DisplayName": "red"}}
    client.create_change_set(
        StackName="imports",
        ChangeSetName="c",
        ChangeSetType="IMPORT",
        TemplateBody=json.dumps({"Resources": {"Topic": topic}}),
        ResourcesToImport=[
            {
                "ResourceType": TOPIC,
                "LogicalResourceId": "Topic",
                "ResourceIdentifier": {"TopicArn": made["Identifier"]},
            }
        ],
    )
    client.get_waiter("change_set_create_complete").wait(StackName="imports", ChangeSetName="c")
    client.execute_change_set(StackName="imports", ChangeSetName="c")
    client.get_waiter("stack_import_complete").wait(StackName="imports")
    results = [client.get_hook_result(HookResultId=each["HookResultId"]) for each in results_of(client, made)]
    assert [(each["Target"]["TargetTypeName"], each["Target"]["Action"]) for each in results] == [
        (TOPIC, "CREATE"),
        ("CHANGE_SET", "CREATE"),
        ("STACK", "IMPORT"),
        (TOPIC, "IMPORT"),
    ]


def results_of(client, request):
    """What hooks answered about a request to Cloud Control and about the import, the oldest first."""
    stack = client.describe_stacks(StackName="imports")["Stacks"][0]["StackId"]
    executions = (request["HooksRequestToken"], stack)
    found = client.list_hook_results()["HookResults"]
    return [each for each in reversed(found) if each["HookExecutionTarget"] in executions]


def test_results_that_are_not_there(client):
    for call in (
        lambda: client.get_hook_result(HookResultId="00000000-0000-0000-0000-000000000000"),
        lambda: client.list_hook_results(TargetType="STACK", TargetId="nobody"),
    ):
        with pytest.raises(client.exceptions.HookResultNotFoundException):
            call()
    with pytest.raises(ClientError, match="Status"):
        client.list_hook_results(Status="HOOK_FAILED")


def test_a_killed_server_goes_on_asking(server, client, configure):
    configure("STACK", "RESOURCE")
    client.create_stack(StackName="killed", TemplateBody=TEMPLATE % "red")
    server.stop(signal.SIGKILL)
    with serving(server.folder, forked=True) as again:
        client = again.client("cloudformation")
        client.get_waiter("stack_create_complete").wait(StackName="killed")
        events = client.describe_stack_events(StackName="killed")["StackEvents"]
    told = sorted((each["LogicalResourceId"], each["HookStatus"]) for each in events if "HookStatus" in each)
    assert told == [
        ("Topic", "HOOK_COMPLETE_SUCCEEDED"),
        ("Topic", "HOOK_IN_PROGRESS"),
        ("killed", "HOOK_COMPLETE_SUCCEEDED"),
        ("killed", "HOOK_IN_PROGRESS"),
    ]
