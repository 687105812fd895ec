"""Macros with boto3 against `cfn serve`: snippets of S3, functions of stacks and of a project, AWS SAM."""

import json

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.registry import THING, resource_package, resource_schema
from support.serving import register, serving

AUTO = ["CAPABILITY_AUTO_EXPAND"]
HANDLERS = """
def resource(event, context):
    return {"status": "SUCCESS", "resourceModel": event["requestData"]["resourceProperties"]}
"""
# Says who calls, marks every label, and fails as it is told.
MACRO = """
import json

def handler(event, context):
    params, fragment = event["params"], event["fragment"]
    if params.get("Fail") == "raise":
        raise RuntimeError("no")
    if params.get("Fail"):
        return {"requestId": event["requestId"], "status": "failure", **({} if params["Fail"] == "silent" else
                {"errorMessage": params["Fail"]})}
    if params.get("Return"):
        return {"requestId": event["requestId"], "status": "success", "fragment": params["Return"]}
    text = json.dumps(fragment).replace("<mark>", params.get("Mark", "") + " <mark>")
    fragment = json.loads(text)
    if params.get("Tell"):
        told = {key: event[key] for key in ("region", "accountId", "transformId", "params", "templateParameterValues")}
        fragment["Outputs"] = {"Told": {"Value": json.dumps(told)}}
    return {"requestId": event["requestId"], "status": "success", "fragment": fragment}
"""
DEFINITION = {
    "Resources": {
        "Code": {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "Code": {"ZipFile": MACRO},
                "Handler": "index.handler",
                "Runtime": "python3.11",
                "Role": "arn:aws:iam::111111111111:role/macro",
                "Timeout": 20,
            },
        },
        "Macro": {
            "Type": "AWS::CloudFormation::Macro",
            "Properties": {"Name": "Mark", "FunctionName": {"Fn::GetAtt": ["Code", "Arn"]}},
        },
    },
    "Outputs": {"Macro": {"Value": {"Ref": "Macro"}}},
}


def thing(**properties):
    return {"Type": THING, "Properties": {"Name": "one", **properties}}


def mark(text):
    return {"Name": "Mark", "Parameters": {"Mark": text}}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    schema = resource_schema()
    schema["properties"]["Label"] = {"type": "string"}
    with serving(tmp_path_factory.mktemp("macros"), forked=True) as running:
        register(running, content=resource_package(schema=schema, handlers=HANDLERS))
        s3 = running.client("s3")
        s3.create_bucket(Bucket="snippets")
        running.put = lambda key, text: s3.put_object(Bucket="snippets", Key=key, Body=text.encode())
        cloudformation = running.client("cloudformation")
        cloudformation.create_stack(StackName="macros", TemplateBody=json.dumps(DEFINITION))
        cloudformation.get_waiter("stack_create_complete").wait(StackName="macros")
        (stack,) = cloudformation.describe_stacks(StackName="macros")["Stacks"]
        assert stack["Outputs"] == [{"OutputKey": "Macro", "OutputValue": "Mark"}]
        yield running


@pytest.fixture
def cloudformation(server):
    return server.client("cloudformation")


def create(client, name, template, *, capabilities=AUTO, **parameters):
    client.create_stack(
        StackName=name,
        TemplateBody=template if isinstance(template, str) else json.dumps(template),
        Capabilities=capabilities,
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
    )
    client.get_waiter("stack_create_complete").wait(StackName=name)
    (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    return stack, client.get_template(StackName=name, TemplateStage="Processed")["TemplateBody"]


def failure(client, name, template):
    """Why the stack went back, and that it did."""
    with pytest.raises(WaiterError):
        create(client, name, template)
    events = client.describe_stack_events(StackName=name)["StackEvents"]
    statuses = [each["ResourceStatus"] for each in reversed(events)]
    assert statuses == ["CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE"]
    return events[1]["ResourceStatusReason"]


def review(client, name, template, **more):
    client.create_change_set(
        StackName=name, ChangeSetName="look", ChangeSetType="CREATE", TemplateBody=json.dumps(template), **more
    )
    return client.describe_change_set(StackName=name, ChangeSetName="look")


def test_the_innermost_macro_is_first_and_the_section_last(cloudformation):
    inside = [mark("first"), mark("second")]
    template = {
        "Resources": {
            "Thing": {"Type": THING, "Properties": {"Name": "m", "Label": "<mark>", "Fn::Transform": inside}}
        },
        "Transform": [mark("third"), mark("fourth")],
    }
    _, processed = create(cloudformation, "order", template)
    assert processed == {"Resources": {"Thing": thing(Name="m", Label="first second third fourth <mark>")}}
    original = cloudformation.get_template(StackName="order", TemplateStage="Original")
    assert original["TemplateBody"] == template
    assert original["StagesAvailable"] == ["Original", "Processed"]


def test_what_a_macro_is_told(cloudformation):
    template = {
        "Parameters": {"Word": {"Type": "String"}, "Words": {"Type": "CommaDelimitedList", "Default": "a,b"}},
        "Resources": {"Thing": thing(Name="told")},
        "Transform": {"Name": "Mark", "Parameters": {"Tell": "yes", "Word": {"Ref": "Word"}}},
    }
    stack, _ = create(cloudformation, "told", template, Word="hello")
    assert json.loads(stack["Outputs"][0]["OutputValue"]) == {
        "region": "us-east-1",
        "accountId": "111111111111",
        "transformId": "111111111111::Mark",
        "params": {"Tell": "yes", "Word": "hello"},
        "templateParameterValues": {"Word": "hello", "Words": ["a", "b"]},
    }


@pytest.mark.parametrize(
    ("number", "transform", "reason"),
    [
        (1, {"Name": "Mark", "Parameters": {"Fail": "it is a test"}}, "111111111111::Mark failed with: it is a test"),
        (2, {"Name": "Mark", "Parameters": {"Fail": "silent"}}, "111111111111::Mark failed without an error message."),
        (3, "Nobody", "No transform named 111111111111::Nobody found."),
        (4, "AWS::Nobody", "No transform named AWS::Nobody found."),
        (5, "AWS::CodeDeployBlueGreen", "AWS::CodeDeployBlueGreen failed with: this transform is not available"),
        (6, {"Name": "Mark", "Parameters": {"Fail": "raise"}}, "malformed response from transform 111111111111::Mark"),
        (7, {"Name": "Mark", "Parameters": {"Return": "words"}}, "Template format error: unsupported structure."),
    ],
)
def test_a_stack_whose_macro_fails_goes_back(cloudformation, number, transform, reason):
    told = failure(cloudformation, f"fails-{number}", {"Resources": {"Thing": thing()}, "Transform": [transform]})
    assert reason in told
    assert told.endswith(". Rollback requested by user.")


def test_an_update_whose_macro_fails_goes_back(cloudformation):
    create(cloudformation, "back", {"Resources": {"Thing": thing(Name="back")}})
    broken = {"Resources": {"Thing": thing(Name="back", Label="new")}, "Transform": ["Nobody"]}
    cloudformation.update_stack(StackName="back", TemplateBody=json.dumps(broken), Capabilities=AUTO)
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_update_complete").wait(StackName="back")
    (stack,) = cloudformation.describe_stacks(StackName="back")["Stacks"]
    assert stack["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert cloudformation.get_template(StackName="back")["TemplateBody"] == {"Resources": {"Thing": thing(Name="back")}}


def test_a_change_set_shows_what_macros_make_and_fails_with_them(cloudformation):
    good = {"Resources": {"Thing": thing(Name="set", Label="<mark>")}, "Transform": mark("seen")}
    found = review(cloudformation, "reviewed", good)  # needs no acknowledgement: it can be looked at
    assert found["Status"] == "CREATE_COMPLETE"
    template = cloudformation.get_template(StackName="reviewed", ChangeSetName="look", TemplateStage="Processed")
    assert template["TemplateBody"]["Resources"]["Thing"]["Properties"]["Label"] == "seen <mark>"
    location = {"Location": "s3://doesnotexist/data.yaml"}
    bad = {"Transform": {"Name": "AWS::Include", "Parameters": location}, "Resources": {"Thing": thing()}}
    found = review(cloudformation, "failing", bad)
    assert (found["Status"], found["ExecutionStatus"], found["Changes"]) == ("FAILED", "UNAVAILABLE", [])
    assert found["StatusReason"] == "Transform AWS::Include failed with: S3 bucket [doesnotexist] does not exist."


def test_macros_need_an_acknowledgement(cloudformation):
    inside = {"Resources": {"Thing": {"Type": THING, "Properties": {"Name": "x", "Fn::Transform": "Mark"}}}}
    for number, template in enumerate((inside, {"Resources": {"Thing": thing()}, "Transform": "Mark"})):
        with pytest.raises(ClientError, match=r"Requires capabilities : \[CAPABILITY_AUTO_EXPAND\]"):
            create(cloudformation, f"unacknowledged-{number}", template, capabilities=[])
    summary = cloudformation.get_template_summary(TemplateBody=json.dumps(inside))
    assert (summary["DeclaredTransforms"], summary["Capabilities"]) == (["Mark"], AUTO)
    template = json.dumps({"Resources": {"Thing": thing()}, "Transform": ["Mark", "AWS::Serverless-2016-10-31"]})
    assert cloudformation.validate_template(TemplateBody=template)["DeclaredTransforms"] == [
        "Mark",
        "AWS::Serverless-2016-10-31",
    ]


def test_snippets_in_a_property_a_section_and_at_the_top(server, cloudformation):
    server.put("label.yaml", "Label: of the snippet\n")
    server.put("thing.json", json.dumps({"Second": thing(Name="snip2")}))
    server.put("outputs.yaml", "Outputs:\n  Name: {Value: {Ref: Second}}\n")
    template = """
    Parameters: {Bucket: {Type: String}}
    Transform: {Name: AWS::Include, Parameters: {Location: !Sub "s3://${Bucket}/outputs.yaml"}}
    Resources:
      First:
        Type: %s
        Properties:
          Name: snip1
          Fn::Transform: {Name: AWS::Include, Parameters: {Location: !Sub "s3://${Bucket}/label.yaml"}}
      Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://snippets/thing.json}}
    """
    stack, processed = create(cloudformation, "snippets", template % THING, Bucket="snippets")
    assert stack["Outputs"] == [{"OutputKey": "Name", "OutputValue": "snip2"}]
    assert processed["Resources"] == {
        "First": thing(Name="snip1", Label="of the snippet"),
        "Second": thing(Name="snip2"),
    }


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("gone.yaml", None, "S3 object [gone.yaml] does not exist in bucket [snippets]."),
        ("short.yaml", "Label: !Ref X\n", "The specified S3 object's content should be valid Yaml/JSON."),
        (
            "more.yaml",
            "Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://snippets/label.yaml}}\n",
            "The specified S3 object's content should be valid Yaml/JSON.",
        ),
        (None, None, "The location parameter is not a valid S3 uri."),
    ],
)
def test_snippets_refused(server, cloudformation, key, text, reason):
    if text is not None:
        server.put(key, text)
    location = {"Location": f"s3://snippets/{key}" if key else "data.yaml"}
    template = {
        "Transform": {"Name": "AWS::Include", "Parameters": location},
        "Resources": {"Thing": thing()},
    }
    name = f"refused-{(key or 'none').removesuffix('.yaml')}"
    assert review(cloudformation, name, template)["StatusReason"] == f"Transform AWS::Include failed with: {reason}"


SERVERLESS = """
Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Timeout: 7, Runtime: python3.11}}
Resources:
  Hello:
    Type: AWS::Serverless::Function
    Properties:
      Handler: index.handler
      InlineCode: "def handler(event, context): return 1"
      Policies: [AWSLambdaBasicExecutionRole]
"""


def test_serverless_resources_become_cloudformations_own(cloudformation):
    pytest.importorskip("samtranslator")
    with pytest.raises(ClientError, match="CAPABILITY_AUTO_EXPAND"):
        create(cloudformation, "sam", SERVERLESS, capabilities=["CAPABILITY_IAM"])
    _, processed = create(cloudformation, "sam", SERVERLESS, capabilities=["CAPABILITY_IAM", *AUTO])
    assert {name: each["Type"] for name, each in processed["Resources"].items()} == {
        "Hello": "AWS::Lambda::Function",
        "HelloRole": "AWS::IAM::Role",
    }
    assert processed["Resources"]["Hello"]["Properties"]["Timeout"] == 7
    arns = processed["Resources"]["HelloRole"]["Properties"]["ManagedPolicyArns"]
    assert "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole" in arns
    found = review(cloudformation, "sam-unacknowledged", {**json.loads(json.dumps(dict(WRONG_SAM)))})
    assert found["StatusReason"].startswith(
        "Transform AWS::Serverless-2016-10-31 failed with: Invalid Serverless Application Specification document. "
        "Number of errors found: 1. Resource with id [Hello] is invalid."
    )


WRONG_SAM = {
    "Transform": "AWS::Serverless-2016-10-31",
    "Resources": {"Hello": {"Type": "AWS::Serverless::Function", "Properties": {"Handler": "index.handler"}}},
}
