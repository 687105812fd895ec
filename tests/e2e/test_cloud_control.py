"""Cloud Control with boto3 and the AWS CLI against `cfn serve`: every operation, hooks, versions, and a killed server."""

import json
import os
import signal
import subprocess
import sys

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.registry import GUARD, THING, hook_package, hook_schema, resource_package, resource_schema
from support.serving import register, serving, upload

# A type whose store is a JSON file, and which wants two calls to make a thing; it notes each that it makes.
HANDLERS = """
import json, pathlib
STORE = pathlib.Path(%r)

def resource(event, context):
    action, desired = event["action"], event["requestData"]["resourceProperties"] or {}
    store = json.loads(STORE.read_text()) if STORE.exists() else {"made": []}
    name = desired.get("Name", "")
    if action == "LIST":
        return {"status": "SUCCESS", "resourceModels": [{"Name": each} for each in store if each != "made"]}
    if action == "CREATE" and not event.get("callbackContext"):
        if name in store:
            return {"status": "FAILED", "errorCode": "AlreadyExists", "message": name + " is there"}
        return {"status": "IN_PROGRESS", "callbackContext": {"n": 1}, "resourceModel": desired,
                "callbackDelaySeconds": 1 if name == "slow" else 0}
    if action != "CREATE" and name not in store:
        return {"status": "FAILED", "errorCode": "NotFound", "message": "no such thing"}
    if action == "DELETE":
        del store[name]
    elif action in ("CREATE", "UPDATE"):
        store[name] = desired
        store["made"] += [name] if action == "CREATE" else []
    STORE.write_text(json.dumps(store))
    return {"status": "SUCCESS"} if action == "DELETE" else {"status": "SUCCESS", "resourceModel": store[name]}
"""
GUARD_HANDLERS = """
def resource(event, context):
    answer = {"clientRequestToken": event["clientRequestToken"]}
    if event["stackId"] is None and event["requestData"]["targetModel"]["resourceProperties"].get("Label") == "black":
        return {**answer, "hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "nothing black"}
    return {**answer, "hookStatus": "SUCCESS", "message": "fine"}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("control")


@pytest.fixture(scope="module")
def server(place):
    schema = resource_schema()
    schema["properties"]["Label"] = {"type": "string"}
    with serving(place, forked=True) as running:
        register(running, content=resource_package(schema=schema, handlers=HANDLERS % str(place / "things.json")))
        yield running


@pytest.fixture
def control(server):
    return server.client("cloudcontrol")


def make(control, name, *, role=None, **more):
    asked = {"TypeName": THING, "DesiredState": json.dumps({"Name": name, **more})}
    begun = control.create_resource(**asked, **({} if role is None else {"RoleArn": role}))["ProgressEvent"]
    control.get_waiter("resource_request_success").wait(RequestToken=begun["RequestToken"])
    return begun["RequestToken"]


def test_requests_tell_how_far_they_are(control):
    begun = control.create_resource(
        TypeName=THING, DesiredState='{"Name": "one", "Secret": "hush"}', ClientToken="first", TypeVersionId="00000001"
    )["ProgressEvent"]
    assert (begun["TypeName"], begun["Identifier"], begun["Operation"]) == (THING, "one", "CREATE")
    again = control.create_resource(
        TypeName=THING, DesiredState='{"Name": "one", "Secret": "hush"}', ClientToken="first", TypeVersionId="00000001"
    )["ProgressEvent"]
    assert again["RequestToken"] == begun["RequestToken"]
    with pytest.raises(control.exceptions.ClientTokenConflictException):
        control.create_resource(TypeName=THING, DesiredState='{"Name": "two"}', ClientToken="first")
    control.get_waiter("resource_request_success").wait(RequestToken=begun["RequestToken"])
    ended = control.get_resource_request_status(RequestToken=begun["RequestToken"])
    assert "HooksRequestToken" not in ended["ProgressEvent"]
    assert json.loads(ended["ProgressEvent"]["ResourceModel"]) == {"Name": "one"}
    found = control.get_resource(TypeName=THING, Identifier='{"Name": "one"}')["ResourceDescription"]
    assert (found["Identifier"], json.loads(found["Properties"])) == ("one", {"Name": "one"})
    listed = control.list_resources(TypeName=THING)["ResourceDescriptions"]
    assert "one" in [each["Identifier"] for each in listed]


def test_requests_that_fail(control):
    make(control, "taken")
    begun = control.create_resource(TypeName=THING, DesiredState='{"Name": "taken"}')["ProgressEvent"]
    with pytest.raises(WaiterError):
        control.get_waiter("resource_request_success").wait(RequestToken=begun["RequestToken"])
    ended = control.get_resource_request_status(RequestToken=begun["RequestToken"])["ProgressEvent"]
    assert (ended["ErrorCode"], ended["StatusMessage"]) == ("AlreadyExists", "taken is there")
    filters = {"Operations": ["CREATE"], "OperationStatuses": ["FAILED"]}
    found = control.list_resource_requests(ResourceRequestStatusFilter=filters)["ResourceRequestStatusSummaries"]
    assert begun["RequestToken"] in [each["RequestToken"] for each in found]
    first = control.list_resource_requests(MaxResults=1)
    second = control.list_resource_requests(MaxResults=1, NextToken=first["NextToken"])
    assert first["ResourceRequestStatusSummaries"] != second["ResourceRequestStatusSummaries"]


def test_what_is_refused(control):
    for error, call in (
        ("ResourceNotFound", lambda: control.get_resource(TypeName=THING, Identifier="nobody")),
        ("TypeNotFound", lambda: control.list_resources(TypeName="Nobody::Has::Made")),
        ("TypeNotFound", lambda: control.get_resource(TypeName=THING, TypeVersionId="00000009", Identifier="one")),
        ("InvalidRequest", lambda: control.create_resource(TypeName=THING, DesiredState="[]")),
        ("RequestTokenNotFound", lambda: control.get_resource_request_status(RequestToken="nobody")),
        ("RequestTokenNotFound", lambda: control.cancel_resource_request(RequestToken="nobody")),
    ):
        with pytest.raises(getattr(control.exceptions, f"{error}Exception")):
            call()
    with pytest.raises(ClientError, match=r"'roleArn' failed to satisfy constraint"):
        control.create_resource(TypeName=THING, DesiredState="{}", RoleArn="arn:aws:iam::1:role/too-short")


def test_a_list_in_pages_and_requests_with_a_role(control):
    role = "arn:aws:iam::111122223333:role/maker"
    for name in ("page-1", "page-2"):
        make(control, name, role=role)
    pages = list(control.get_paginator("list_resources").paginate(TypeName=THING, MaxResults=1, RoleArn=role))
    found = [[each["Identifier"] for each in page["ResourceDescriptions"]] for page in pages]
    assert all(len(page) == 1 for page in found)
    assert {"page-1", "page-2"} <= {page[0] for page in found}


def test_a_hook_refuses_what_it_is_told_to_look_at(server, control):
    client = server.client("cloudformation")
    schema = hook_schema(handlers={"preCreate": {"targetNames": [THING], "permissions": []}})
    url = upload(server, hook_package(schema=schema, handlers=GUARD_HANDLERS), key="guard.zip")
    token = client.register_type(Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=url)["RegistrationToken"]
    client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    settings = {"HookInvocationStatus": "ENABLED", "TargetOperations": ["CLOUD_CONTROL"], "FailureMode": "FAIL"}
    configuration = {"CloudFormationConfiguration": {"HookConfiguration": {**settings, "Properties": {}}}}
    client.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=json.dumps(configuration))
    with pytest.raises(WaiterError):
        make(control, "black", Label="black")
    refused = control.list_resource_requests(MaxResults=1)["ResourceRequestStatusSummaries"][0]
    assert refused["StatusMessage"] == f"The following hook(s) failed: [{GUARD}]"
    (event,) = control.get_resource_request_status(RequestToken=refused["RequestToken"])["HooksProgressEvent"]
    assert (event["HookTypeName"], event["HookStatus"], event["HookStatusMessage"]) == (
        GUARD,
        "HOOK_COMPLETE_FAILED",
        "Hook failed with message: nothing black",
    )
    (listed,) = client.list_hook_results(TargetType="CLOUD_CONTROL", TargetId=refused["HooksRequestToken"])[
        "HookResults"
    ]
    assert listed["Status"] == "HOOK_COMPLETE_FAILED"
    make(control, "white", Label="white")


@pytest.mark.slow
def test_the_aws_cli(server):
    keys = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}

    def aws(*words):
        command = [sys.executable, "-m", "awscli", "cloudcontrol", *words, "--endpoint-url", server.url]
        done = subprocess.run(command, env={**os.environ, **keys}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout else None

    begun = aws("create-resource", "--type-name", THING, "--desired-state", '{"Name": "cli"}')["ProgressEvent"]
    aws("wait", "resource-request-success", "--request-token", begun["RequestToken"])
    assert (
        aws("get-resource", "--type-name", THING, "--identifier", "cli")["ResourceDescription"]["Identifier"] == "cli"
    )


def test_a_killed_server_goes_on_with_its_requests(place, server, control):
    begun = control.create_resource(TypeName=THING, DesiredState='{"Name": "slow"}')["ProgressEvent"]
    server.stop(signal.SIGKILL)
    with serving(place, forked=True) as again:
        waiter = again.client("cloudcontrol").get_waiter("resource_request_success")
        waiter.wait(RequestToken=begun["RequestToken"])
    assert json.loads((place / "things.json").read_text())["made"].count("slow") == 1
