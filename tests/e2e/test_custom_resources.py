"""Custom resources with boto3 against `cfn serve`: made by functions of stacks, and at a URL."""

import json
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from botocore.exceptions import WaiterError

from support.serving import serving
from support.toolchains import needs_node

# Keeps what it was asked in a file, and answers as its properties say.
CODE = """
import json
import cfnresponse

def handler(event, context):
    properties = event["ResourceProperties"]
    with open(%r, "a") as file:
        file.write(json.dumps({key: value for key, value in event.items() if key != "ResponseURL"}) + "\\n")
    if properties.get("Do") == "raise" and event["RequestType"] != "Delete":
        raise RuntimeError("out of paint")
    failed = properties.get("Do") == "fail" and event["RequestType"] != "Delete"
    status = cfnresponse.FAILED if failed else cfnresponse.SUCCESS
    name = properties.get("Name") or event.get("PhysicalResourceId") or "first"
    cfnresponse.send(event, context, status, {"Told": name.upper()}, name, properties.get("Hide") == "true",
                     reason="as it was told")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("custom")
    with serving(folder, forked=True) as running:
        running.log = folder / "asked.jsonl"
        function = {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "Code": {"ZipFile": CODE % str(running.log)},
                "Handler": "index.handler",
                "Runtime": "python3.11",
                "Role": "arn:aws:iam::111111111111:role/maker",
                "Timeout": 20,
            },
        }
        arn = {"Value": {"Fn::GetAtt": ["Maker", "Arn"]}, "Export": {"Name": "maker"}}
        client = running.client("cloudformation")
        body = json.dumps({"Resources": {"Maker": function}, "Outputs": {"Arn": arn}})
        client.create_stack(StackName="maker", TemplateBody=body)
        client.get_waiter("stack_create_complete").wait(StackName="maker")
        yield running


@pytest.fixture
def cloudformation(server):
    return server.client("cloudformation")


@pytest.fixture
def asked(server):
    server.log.write_text("")
    return lambda: [json.loads(line) for line in server.log.read_text().splitlines()]


def custom(token=None, kind="Custom::Paint", **properties):
    token = token or {"Fn::ImportValue": "maker"}
    return json.dumps(
        {
            "Resources": {"Paint": {"Type": kind, "Properties": {"ServiceToken": token, **properties}}},
            "Outputs": {"Told": {"Value": {"Fn::GetAtt": ["Paint", "Told"]}}, "Name": {"Value": {"Ref": "Paint"}}},
        }
    )


def reasons(client, name):
    events = client.describe_stack_events(StackName=name)["StackEvents"]
    return [(e["ResourceStatus"], e.get("ResourceStatusReason")) for e in reversed(events)]


def outputs(client, name):
    (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    return {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}


def test_a_custom_resource_from_its_creation_to_its_end(cloudformation, asked):
    arn = cloudformation.create_stack(StackName="paint", TemplateBody=custom(Name="red", Coats=2, Dry=True))["StackId"]
    cloudformation.get_waiter("stack_create_complete").wait(StackName="paint")
    assert outputs(cloudformation, "paint") == {"Told": "RED", "Name": "red"}
    (event,) = asked()
    assert (event["RequestType"], event["StackId"], event["ResourceType"]) == ("Create", arn, "Custom::Paint")
    properties = {key: value for key, value in event["ResourceProperties"].items() if key != "ServiceToken"}
    assert properties == {"Name": "red", "Coats": "2", "Dry": "true"}
    assert event["ResourceProperties"]["ServiceToken"] == event["ServiceToken"]

    cloudformation.update_stack(StackName="paint", TemplateBody=custom(Name="red", Coats=3))
    cloudformation.get_waiter("stack_update_complete").wait(StackName="paint")
    event = asked()[-1]
    assert (event["RequestType"], event["PhysicalResourceId"]) == ("Update", "red")
    assert event["OldResourceProperties"]["Coats"] == "2"

    # Another id is another resource: the old one goes in the clean-up.
    cloudformation.update_stack(StackName="paint", TemplateBody=custom(Name="blue"))
    cloudformation.get_waiter("stack_update_complete").wait(StackName="paint")
    assert outputs(cloudformation, "paint")["Name"] == "blue"
    assert [(each["RequestType"], each["PhysicalResourceId"]) for each in asked()[-2:]] == [
        ("Update", "red"),
        ("Delete", "red"),
    ]
    told = "Requested update required the provider to create a new physical resource"
    assert ("UPDATE_COMPLETE", told) in reasons(cloudformation, "paint")

    cloudformation.delete_stack(StackName="paint")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="paint")
    assert (asked()[-1]["RequestType"], asked()[-1]["PhysicalResourceId"]) == ("Delete", "blue")
    assert len(asked()) == 5


@pytest.mark.parametrize(
    ("properties", "told", "requests"),
    [
        (
            {"Do": "fail", "Name": "grey"},
            "Received response status [FAILED] from custom resource. Message returned: as it was told (RequestId: ",
            ["Create", "Delete"],
        ),
        ({"Do": "raise"}, "failed without an answer: out of paint", ["Create", "Delete"]),
        ({"token": "arn:aws:lambda:us-east-1:111111111111:function:nobody"}, "is not here: neither", []),
        ({"token": "arn:aws:sns:us-east-1:111111111111:topic"}, "is not a Lambda function", []),
    ],
)
def test_custom_resources_that_fail(cloudformation, asked, properties, told, requests):
    name = f"fails-{len(told)}"
    cloudformation.create_stack(StackName=name, TemplateBody=custom(**properties))
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName=name)
    (reason,) = (each for status, each in reasons(cloudformation, name) if status == "CREATE_FAILED")
    assert told in reason
    assert [each["RequestType"] for each in asked()] == requests


def test_an_answer_that_does_not_come(cloudformation, tmp_path):
    seen = threading.Event()

    class Silent(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(202)
            self.end_headers()
            seen.set()

        def log_message(self, *_words):
            pass

    listener = HTTPServer(("127.0.0.1", 0), Silent)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    try:
        token = f"http://127.0.0.1:{listener.server_port}/"
        kind = "AWS::CloudFormation::CustomResource"
        cloudformation.create_stack(
            StackName="silent", TemplateBody=custom(token, kind=kind, ServiceTimeout=1), OnFailure="DO_NOTHING"
        )
        with pytest.raises(WaiterError):
            cloudformation.get_waiter("stack_create_complete").wait(StackName="silent")
        assert seen.is_set()
    finally:
        listener.shutdown()
        listener.server_close()
    (reason,) = (
        each for status, each in reasons(cloudformation, "silent") if status == "CREATE_FAILED" and "requestId" in each
    )
    assert reason.startswith("CloudFormation did not receive a response from your Custom Resource.")


def test_nobody_else_answers(server):
    url = f"{server.url}/cloudformation-custom-resource-response-us-east-1/arn%3Aaws/s/i%7CPaint%7Ct?Signature=x"
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(urllib.request.Request(url, b"{}", method="PUT"))
    with caught.value as answer:
        assert answer.code == 403


def test_what_nobody_is_to_see_stands_in_no_event(cloudformation):
    template = json.loads(custom(Name="canary-4711", Hide=True))
    template["Resources"]["Topic"] = {
        "Type": "AWS::SNS::Topic",
        "Properties": {"DisplayName": {"Fn::GetAtt": ["Paint", "Told"]}},
    }
    del template["Outputs"]
    cloudformation.create_stack(StackName="hidden", TemplateBody=json.dumps(template))
    cloudformation.get_waiter("stack_create_complete").wait(StackName="hidden")
    events = cloudformation.describe_stack_events(StackName="hidden")["StackEvents"]
    topics = [each["ResourceProperties"] for each in events if each["LogicalResourceId"] == "Topic"]
    assert topics
    assert "CANARY" not in str(events)


NODE_CODE = """
exports.handler = async (event) => {
  const { RequestId, StackId, LogicalResourceId, ResponseURL } = event;
  const body = JSON.stringify({
    Status: "SUCCESS", PhysicalResourceId: "by fetch", RequestId, StackId, LogicalResourceId, Data: { Told: "NODE" },
  });
  const answer = await fetch(ResponseURL, { method: "PUT", body });
  if (!answer.ok) throw new Error(await answer.text());
};
"""


@needs_node
def test_a_custom_resource_in_node_answers_by_fetch(cloudformation):
    """Node's fetch sends Sec-Fetch-Mode, which else only browsers send."""
    template = json.loads(custom({"Fn::GetAtt": ["Fetcher", "Arn"]}))
    properties = {"Code": {"ZipFile": NODE_CODE}, "Handler": "index.handler", "Runtime": "nodejs22.x", "Timeout": 20}
    properties["Role"] = "arn:aws:iam::111111111111:role/maker"
    template["Resources"]["Fetcher"] = {"Type": "AWS::Lambda::Function", "Properties": properties}
    cloudformation.create_stack(StackName="fetched", TemplateBody=json.dumps(template))
    cloudformation.get_waiter("stack_create_complete").wait(StackName="fetched")
    assert outputs(cloudformation, "fetched") == {"Told": "NODE", "Name": "by fetch"}
    cloudformation.delete_stack(StackName="fetched")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName="fetched")
