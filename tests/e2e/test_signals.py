"""Wait conditions, creation policies and SignalResource with boto3 and plain HTTP against `cfn serve`."""

import http.client
import json
import time
import urllib.error
import urllib.request

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.serving import serving

CF = "AWS::CloudFormation"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("signals"), forked=True) as running:
        yield running


@pytest.fixture
def cloudformation(server):
    return server.client("cloudformation")


def condition(count=1, timeout=60):
    waits = {"Handle": {"Ref": "Handle"}, "Timeout": str(timeout), "Count": count}
    return json.dumps(
        {
            "Resources": {
                "Handle": {"Type": f"{CF}::WaitConditionHandle"},
                "Wait": {"Type": f"{CF}::WaitCondition", "DependsOn": "Handle", "Properties": waits},
            },
            "Outputs": {
                "Data": {"Value": {"Fn::GetAtt": ["Wait", "Data"]}},
                "Wait": {"Value": {"Ref": "Wait"}},
            },
        }
    )


def until(look, seconds=30):
    """What `look` finds, as soon as it finds something."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def handle_url(client, name):
    def look():
        found = client.describe_stack_resources(StackName=name)["StackResources"]
        return [each["PhysicalResourceId"] for each in found if each["LogicalResourceId"] == "Handle"]

    return until(look)[0]


def put(url, body, method="PUT"):
    """As cfn-signal sends it, without a content type."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": ""}, method=method)
    with urllib.request.urlopen(request) as answer:
        return answer.status


def signal(number, status="SUCCESS"):
    return {"Status": status, "UniqueId": f"u{number}", "Data": f"data {number}", "Reason": "because"}


def reasons(client, name):
    events = client.describe_stack_events(StackName=name)["StackEvents"]
    return [(e["ResourceStatus"], e.get("ResourceStatusReason")) for e in reversed(events)]


def test_a_wait_condition_waits_for_its_signals(server, cloudformation):
    arn = cloudformation.create_stack(StackName="waits", TemplateBody=condition(count=2))["StackId"]
    url = handle_url(cloudformation, "waits")
    assert url.startswith(f"{server.url}/cloudformation-waitcondition-us-east-1/arn%3Aaws%3A")
    for number in (1, 1, 2):
        assert put(url, signal(number)) == 200
    cloudformation.get_waiter("stack_create_complete").wait(StackName="waits")
    (stack,) = cloudformation.describe_stacks(StackName="waits")["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
    assert json.loads(outputs["Data"]) == {"u1": "data 1", "u2": "data 2"}
    assert outputs["Wait"] == f"{arn}/Handle"
    cloudformation.update_stack(StackName="waits", TemplateBody=condition(count=3))
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_update_complete").wait(StackName="waits")
    told = f"Update to resource type {CF}::WaitCondition is not supported."
    assert ("UPDATE_FAILED", told) in reasons(cloudformation, "waits")
    cloudformation.delete_stack(StackName="waits")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="waits")


def test_a_wait_condition_that_hears_of_a_failure(cloudformation):
    cloudformation.create_stack(StackName="fails", TemplateBody=condition())
    put(handle_url(cloudformation, "fails"), signal(1, "FAILURE"))
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="fails")
    told = "WaitCondition received failed message: 'because' for uniqueId: u1"
    assert ("CREATE_FAILED", told) in reasons(cloudformation, "fails")


def test_a_wait_condition_that_hears_nothing(cloudformation):
    cloudformation.create_stack(StackName="late", TemplateBody=condition(count=2, timeout=0))
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="late")
    told = "WaitCondition timed out. Received 0 conditions when expecting 2"
    assert ("CREATE_FAILED", told) in reasons(cloudformation, "late")


@pytest.mark.parametrize(
    ("change", "body", "status", "told"),
    [
        (lambda url: url + "x", signal(1), 403, "SignatureDoesNotMatch"),
        (lambda url: url.replace("/Handle?", "/Other?"), signal(1), 403, "SignatureDoesNotMatch"),
        (lambda url: url.partition("?")[0], signal(1), 403, "AccessDenied"),
        (lambda url: url, b"no json", 400, "it is not valid JSON"),
        (lambda url: url, {"Status": "DONE"}, 400, "Status must be SUCCESS or FAILURE"),
        (lambda url: url, {"Status": "SUCCESS"}, 400, "UniqueId must be"),
    ],
)
def test_signals_that_are_refused(cloudformation, change, body, status, told):
    if not any(each["StackName"] == "refuses" for each in cloudformation.describe_stacks()["Stacks"]):
        cloudformation.create_stack(StackName="refuses", TemplateBody=condition())
    with pytest.raises(urllib.error.HTTPError) as caught:
        put(change(handle_url(cloudformation, "refuses")), body)
    assert caught.value.code == status
    assert told in caught.value.read().decode()


def test_a_page_of_another_site_can_not_signal(server):
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"))
    connection.request("PUT", "/cloudformation-waitcondition-us-east-1/x", b"{}", {"Origin": "http://evil.example"})
    assert connection.getresponse().status == 403
    connection.close()


def policy(**signal):
    bucket = {"Type": "AWS::SNS::Topic", "CreationPolicy": {"ResourceSignal": signal}}
    return json.dumps({"Resources": {"Made": bucket, "After": {"Type": "AWS::SNS::Topic", "DependsOn": "Made"}}})


def send(client, name, number, status="SUCCESS"):
    asked = {"StackName": name, "LogicalResourceId": "Made", "UniqueId": f"i-{number}", "Status": status}
    client.signal_resource(**asked)


def test_a_creation_policy_waits_for_signals(cloudformation):
    cloudformation.create_stack(StackName="policy", TemplateBody=policy(Count=2, Timeout="PT5M"))
    send(cloudformation, "policy", 1)
    send(cloudformation, "policy", 2)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="policy")
    told = reasons(cloudformation, "policy")
    for number in (1, 2):
        assert ("CREATE_IN_PROGRESS", f"Received SUCCESS signal with UniqueId i-{number}") in told
    with pytest.raises(ClientError, match="Resource Made is in CREATE_COMPLETE state and cannot be signaled"):
        send(cloudformation, "policy", 3)
    with pytest.raises(ClientError, match="does not exist"):
        send(cloudformation, "nobody", 1)


def test_a_creation_policy_that_hears_of_a_failure(cloudformation):
    cloudformation.create_stack(StackName="unlucky", TemplateBody=policy(Timeout="PT1H"))
    send(cloudformation, "unlucky", 1, "FAILURE")
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="unlucky")
    told = reasons(cloudformation, "unlucky")
    assert ("CREATE_IN_PROGRESS", "Received FAILURE signal with UniqueId i-1") in told
    failed = "Received 1 FAILURE signal(s) out of 1. Unable to satisfy 100% MinSuccessfulInstancesPercent requirement"
    assert ("CREATE_FAILED", failed) in told


def test_a_creation_policy_that_hears_nothing(cloudformation):
    cloudformation.create_stack(StackName="silent", TemplateBody=policy(Count=1, Timeout="PT0S"))
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="silent")
    failed = "Failed to receive 1 resource signal(s) within the specified duration"
    assert ("CREATE_FAILED", failed) in reasons(cloudformation, "silent")
