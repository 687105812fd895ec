"""Dynamic references and stored parameters with boto3, `cfn serve`, and moto as the AWS that they lead to."""

import contextlib
import json
import os
import time
import zipfile

import boto3
import pytest
from botocore.exceptions import ClientError, WaiterError

from formwork.aws.moto import MotoServer
from support.registry import GUARD, THING, hook_package, hook_schema, resource_package, resource_schema
from support.serving import register, serving, upload

SECRET = "correct horse battery staple"
API_KEY = "kept-in-parameter-store"
# A type that keeps what it was asked to make in a file, and tells too much when it can't.
HANDLERS = """
import json, pathlib
STORE = pathlib.Path(%r)

def resource(event, context):
    action, data = event["action"], event["requestData"]
    desired = data["resourceProperties"] or {}
    store = json.loads(STORE.read_text()) if STORE.exists() else {}
    STORE.with_name("seen").write_text(json.dumps(data.get("typeConfiguration")))
    print("asked with", json.dumps(desired), data.get("typeConfiguration"))
    if action == "DELETE":
        store.pop(desired["Name"], None)
        STORE.write_text(json.dumps(store))
        return {"status": "SUCCESS"}
    if action in ("CREATE", "UPDATE"):
        if desired.get("Label") == "bad":
            told = f"no {desired['Secret']} with {data['typeConfiguration']['ApiKey']}"
            return {"status": "FAILED", "errorCode": "InvalidRequest", "message": told}
        store[desired["Name"]] = {**desired, "configured": data.get("typeConfiguration")}
        STORE.write_text(json.dumps(store))
    made = store[desired["Name"]]
    return {"status": "SUCCESS", "resourceModel": {name: made[name] for name in ("Name", "Label") if name in made}}
"""
HOOK = """
def resource(event, context):
    key = event["hookModel"]["ApiKey"]
    return {"hookStatus": "SUCCESS", "message": f"looked with {key}, which is {len(key)} long"}
"""
TEMPLATE = {
    "Parameters": {
        "Label": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/app/label"},
        "Zones": {"Type": "AWS::SSM::Parameter::Value<List<String>>", "Default": "/app/zones"},
        "Secret": {"Type": "String", "Default": "app/db"},
    },
    "Outputs": {
        "Plain": {"Value": {"Fn::Sub": "is {{resolve:ssm:/app/label:1}}"}},
        "Hidden": {"Value": "{{resolve:secretsmanager:app/db:SecretString:password}}"},
    },
    "Resources": {
        "Thing": {
            "Type": THING,
            "Properties": {
                "Name": {"Fn::Sub": "${AWS::StackName}-{{resolve:ssm:/app/name}}"},
                "Label": {"Fn::Join": ["+", [{"Ref": "Label"}, {"Fn::Join": ["", {"Ref": "Zones"}]}]]},
                "Secret": {"Fn::Sub": "{{resolve:secretsmanager:${Secret}:SecretString:password}}"},
            },
        }
    },
}


@pytest.fixture(scope="module")
def aws():
    with contextlib.closing(MotoServer(os.environ)) as server:
        session = boto3.Session("testing", "testing", "testing", region_name="us-east-1")
        server.ssm, server.secrets = (session.client(x, endpoint_url=server.url) for x in ("ssm", "secretsmanager"))
        server.ssm.put_parameter(Name="/app/label", Value="red", Type="String")
        server.ssm.put_parameter(Name="/app/zones", Value="a, b", Type="StringList")
        server.ssm.put_parameter(Name="/app/name", Value="one", Type="String")
        server.ssm.put_parameter(Name="/app/key", Value=API_KEY, Type="SecureString")
        server.secrets.create_secret(Name="app/db", SecretString=json.dumps({"password": SECRET}))
        yield server


@pytest.fixture(scope="module")
def server(aws, tmp_path_factory):
    folder = tmp_path_factory.mktemp("references")
    schema = resource_schema()
    schema["properties"]["Label"] = {"type": "string"}
    key = {"type": "string", "description": "A key"}
    schema["typeConfiguration"] = {"properties": {"ApiKey": key}, "additionalProperties": False}
    with serving(folder, "--aws", aws.url, forked=True) as running:
        register(running, content=resource_package(schema=schema, handlers=HANDLERS % str(folder / "things.json")))
        cloudformation = running.client("cloudformation")
        configuration = json.dumps({"ApiKey": "{{resolve:ssm-secure:/app/key}}"})
        cloudformation.set_type_configuration(Type="RESOURCE", TypeName=THING, Configuration=configuration)
        running.things = lambda: json.loads((folder / "things.json").read_text())
        yield running
        running.stop()
    for file in folder.rglob("*"):
        if file.is_file() and file.name not in ("things.json", "seen"):
            content = file.read_bytes()
            assert SECRET.encode() not in content, file
            assert API_KEY.encode() not in content, file


@pytest.fixture
def cloudformation(server):
    return server.client("cloudformation")


def reasons(client, name):
    events = client.describe_stack_events(StackName=name)["StackEvents"]
    return [each["ResourceStatusReason"] for each in events if "ResourceStatusReason" in each]


def test_handlers_get_the_values_and_clients_see_the_references(aws, server, cloudformation):
    cloudformation.create_change_set(
        StackName="shop", ChangeSetName="first", ChangeSetType="CREATE", TemplateBody=json.dumps(TEMPLATE)
    )
    cloudformation.get_waiter("change_set_create_complete").wait(StackName="shop", ChangeSetName="first")
    shown = cloudformation.describe_change_set(StackName="shop", ChangeSetName="first", IncludePropertyValues=True)
    after = json.loads(shown["Changes"][0]["ResourceChange"]["AfterContext"])["Properties"]
    assert after["Secret"] == "{{resolve:secretsmanager:app/db:SecretString:password}}"
    assert after["Name"] == "shop-{{resolve:ssm:/app/name:1}}"
    cloudformation.execute_change_set(StackName="shop", ChangeSetName="first")
    cloudformation.get_waiter("stack_create_complete").wait(StackName="shop")
    assert server.things()["shop-one"] == {
        "Name": "shop-one",
        "Label": "red+ab",
        "Secret": SECRET,
        "configured": {"ApiKey": API_KEY},
    }
    (stack,) = cloudformation.describe_stacks(StackName="shop")["Stacks"]
    parameters = {each["ParameterKey"]: each for each in stack["Parameters"]}
    assert parameters["Zones"] == {"ParameterKey": "Zones", "ParameterValue": "/app/zones", "ResolvedValue": "a,b"}
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
    hidden = "{{resolve:secretsmanager:app/db:SecretString:password}}"
    assert outputs == {"Plain": "is red", "Hidden": hidden}
    events = cloudformation.describe_stack_events(StackName="shop")["StackEvents"]
    assert any("{{resolve:secretsmanager:" in each.get("ResourceProperties", "") for each in events)

    # The same template again finds what Parameter Store has now, in parameters and in references.
    aws.ssm.put_parameter(Name="/app/label", Value="blue", Type="String", Overwrite=True)
    aws.ssm.put_parameter(Name="/app/name", Value="two", Type="String", Overwrite=True)
    cloudformation.update_stack(StackName="shop", TemplateBody=json.dumps(TEMPLATE))
    cloudformation.get_waiter("stack_update_complete").wait(StackName="shop")
    assert {name: each["Label"] for name, each in server.things().items()} == {"shop-two": "blue+ab"}
    with pytest.raises(ClientError, match="No updates are to be performed"):
        cloudformation.update_stack(StackName="shop", TemplateBody=json.dumps(TEMPLATE))

    found = cloudformation.detect_stack_resource_drift(StackName="shop", LogicalResourceId="Thing")
    assert found["StackResourceDrift"]["StackResourceDriftStatus"] == "IN_SYNC"


def test_a_failing_handler_gives_no_secret_away(cloudformation):
    properties = {
        "Name": "worse",
        "Label": "bad",
        "Secret": "{{resolve:secretsmanager:app/db:SecretString:password}}",
    }
    body = json.dumps({"Resources": {"Thing": {"Type": THING, "Properties": properties}}})
    cloudformation.create_stack(StackName="worse", TemplateBody=body)
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="worse")
    assert any('message: "no ******** with ********"' in each for each in reasons(cloudformation, "worse"))


def test_a_secret_without_the_key_fails_the_resource(cloudformation):
    properties = {"Name": "none", "Secret": "{{resolve:secretsmanager:app/db:SecretString:nothing}}"}
    body = json.dumps({"Resources": {"Thing": {"Type": THING, "Properties": properties}}})
    cloudformation.create_stack(StackName="none", TemplateBody=body)
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="none")
    assert "Could not find a value associated with JSONKey in SecretString" in reasons(cloudformation, "none")


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"Name": "{{resolve:ssm:/app/key:1}}"}, "Non-secure ssm prefix was used for secure parameter /app/key"),
        ({"Name": "{{resolve:ssm-secure:/app/key:1}}"}, "SSM Secure reference is not supported in: "),
        ({"Name": "{{resolve:ssm:/app/none}}"}, "Parameters: [ssm:/app/none] cannot be found."),
    ],
)
def test_references_that_are_refused_at_once(cloudformation, properties, message):
    body = json.dumps({"Resources": {"Thing": {"Type": THING, "Properties": properties}}})
    with pytest.raises(ClientError) as error:
        cloudformation.create_stack(StackName="no", TemplateBody=body)
    assert error.value.response["Error"]["Code"] == "ValidationError"
    assert message in error.value.response["Error"]["Message"]


def test_the_configuration_of_a_hook_is_resolved_for_its_handler_only(server, cloudformation):
    schema = hook_schema()
    schema["handlers"] = {"preCreate": {"targetNames": [THING], "permissions": []}}
    url = upload(server, hook_package(schema=schema, handlers=HOOK), key="hook.zip")
    token = cloudformation.register_type(Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=url)["RegistrationToken"]
    cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    inner = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {"ApiKey": "{{resolve:ssm-secure:/app/key}}"}}
    configuration = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": inner}})
    cloudformation.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=configuration)
    body = json.dumps({"Resources": {"Thing": {"Type": THING, "Properties": {"Name": "guarded"}}}})
    cloudformation.create_stack(StackName="guarded", TemplateBody=body)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="guarded")
    events = cloudformation.describe_stack_events(StackName="guarded")["StackEvents"]
    told = [each["HookStatusReason"] for each in events if "HookStatusReason" in each]
    assert f"Hook succeeded with message: looked with ********, which is {len(API_KEY)} long" in told


def test_the_configuration_of_a_guard_hook_is_resolved(aws, server, cloudformation):
    pytest.importorskip("cloudformation_validate")
    aws.ssm.put_parameter(Name="/guard/rules", Value="s3://guard-rules/rules.guard", Type="String")
    s3 = server.client("s3")
    for bucket in ("guard-rules", "guard-reports"):
        s3.create_bucket(Bucket=bucket)
    s3.put_object(Bucket="guard-rules", Key="rules.guard", Body="rule Named { Resources.*.Properties.Label exists }")
    alias = "Private::Guard::Referring"
    role = "arn:aws:iam::111111111111:role/hooks"
    cloudformation.activate_type(
        Type="HOOK",
        TypeName="AWS::Hooks::GuardHook",
        PublisherId="aws-hooks",
        TypeNameAlias=alias,
        ExecutionRoleArn=role,
    )

    def configure(status="ENABLED", **more):
        properties = {"ruleLocation": "{{resolve:ssm:/guard/rules}}", "logBucket": "guard-reports", **more}
        inner = {"HookInvocationStatus": status, "FailureMode": "FAIL", "Properties": properties}
        filters = {"StackFilters": {"FilteringCriteria": "ALL", "StackNames": {"Include": ["referring*"]}}}
        configuration = {"CloudFormationConfiguration": {"HookConfiguration": {**inner, **filters}}}
        cloudformation.set_type_configuration(Type="HOOK", TypeName=alias, Configuration=json.dumps(configuration))

    def refused(name):
        body = {"Resources": {"Thing": {"Type": THING, "Properties": {"Name": name}}}}
        cloudformation.create_stack(StackName=name, TemplateBody=json.dumps(body))
        with pytest.raises(WaiterError):
            cloudformation.get_waiter("stack_create_complete").wait(StackName=name)
        events = cloudformation.describe_stack_events(StackName=name)["StackEvents"]
        (event,) = [each for each in events if each.get("HookStatus") in ("HOOK_COMPLETE_FAILED", "HOOK_FAILED")]
        result = cloudformation.get_hook_result(HookResultId=event["HookInvocationId"])
        return json.dumps([event, result], default=str)

    configure()
    assert "the following rule(s) failed: Named." in refused("referring")
    secret = "{{resolve:secretsmanager:app/db:SecretString:password}}"
    configure(options={"inputParams": f"s3://guard-rules/{secret}"})
    told = refused("referring-to-a-secret")
    assert "inputParams: ******** can't be read: NoSuchKey" in told
    assert SECRET not in told
    configure(ruleLocation="s3://guard-rules/{{resolve:ssm:/guard/nothing}}")
    assert "Parameters: [ssm:/guard/nothing] cannot be found." in refused("referring-to-nothing")
    configure("DISABLED")


@pytest.mark.slow
def test_the_tests_of_a_type_have_its_configuration_resolved(server, cloudformation):
    seen = server.folder / "seen"
    seen.unlink(missing_ok=True)
    arn = cloudformation.test_type(Type="RESOURCE", TypeName=THING, VersionId="00000001")["TypeVersionArn"]
    while (found := cloudformation.describe_type(Arn=arn))["TypeTestsStatus"] == "IN_PROGRESS":
        time.sleep(0.5)
    assert "clauses: " in found["TypeTestsStatusDescription"]
    assert json.loads(seen.read_text()) == {"ApiKey": API_KEY}
    (kept,) = (server.folder / "state" / "results").rglob("*.zip")
    with zipfile.ZipFile(kept) as logs:
        assert not any(API_KEY.encode() in logs.read(name) for name in logs.namelist())
