"""The IaC generator with boto3 against `cfn serve`: from resources to a scan, a template, and a stack that has them."""

import json
import time

import pytest

from formwork.documents import parse_document
from support.registry import THING, resource_package, resource_schema
from support.serving import register, serving

# Things with a name and a label, in a file.
HANDLERS = """
import json, pathlib
STORE = pathlib.Path(%r)

def resource(event, context):
    action, desired = event["action"], event["requestData"]["resourceProperties"] or {}
    store = json.loads(STORE.read_text()) if STORE.exists() else {}
    name = desired.get("Name")
    if action == "LIST":
        return {"status": "SUCCESS", "resourceModels": [{"Name": each} for each in store]}
    if action in ("CREATE", "UPDATE"):
        store[name] = {key: each for key, each in desired.items() if key != "Secret"}
    elif name not in store:
        return {"status": "FAILED", "errorCode": "NotFound", "message": "no such thing"}
    elif action == "DELETE":
        del store[name]
    STORE.write_text(json.dumps(store))
    return {"status": "SUCCESS"} if action == "DELETE" else {"status": "SUCCESS", "resourceModel": store[name]}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generator")
    with serving(folder, forked=True) as running:
        schema = resource_schema()
        schema["properties"]["Label"] = {"type": "string"}
        handlers = HANDLERS % str(folder / "things.json")
        register(running, content=resource_package(schema=schema, handlers=handlers))
        yield running


@pytest.fixture
def client(server):
    return server.client("cloudformation")


def ended(describe, busy=("IN_PROGRESS", "PENDING")):
    """What is described once its status is final."""
    deadline = time.monotonic() + 60
    while (found := describe())["Status"].endswith(busy):
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def create(server, type_name, **model):
    control = server.client("cloudcontrol")
    token = control.create_resource(TypeName=type_name, DesiredState=json.dumps(model))["ProgressEvent"]["RequestToken"]
    control.get_waiter("resource_request_success").wait(RequestToken=token)
    return control.get_resource_request_status(RequestToken=token)["ProgressEvent"]["Identifier"]


def test_from_resources_to_a_stack(server, client):
    role = create(
        server,
        "AWS::IAM::Role",
        RoleName="writer",
        AssumeRolePolicyDocument={"Version": "2012-10-17", "Statement": []},
        Tags=[{"Key": "team", "Value": "web"}],
    )
    described = server.client("cloudcontrol").get_resource(TypeName="AWS::IAM::Role", Identifier=role)
    arn = json.loads(described["ResourceDescription"]["Properties"])["Arn"]
    function = create(
        server,
        "AWS::Lambda::Function",
        FunctionName="hello",
        Role=arn,
        Runtime="python3.12",
        Handler="index.f",
        Code={"ZipFile": "def f(e, c): return 1"},
    )
    thing = create(server, THING, Name="one", Label="red")
    scan = client.start_resource_scan()["ResourceScanId"]
    done = ended(lambda: client.describe_resource_scan(ResourceScanId=scan))
    assert done["Status"] == "COMPLETE", done
    assert {THING, "AWS::IAM::Role", "AWS::Lambda::Function"} <= set(done["ResourceTypes"])
    assert done["ResourcesRead"] == done["ResourcesScanned"] >= 3
    assert client.list_resource_scans()["ResourceScanSummaries"][0]["ScanType"] == "FULL"
    pages = client.get_paginator("list_resource_scan_resources")
    found = [
        each
        for page in pages.paginate(ResourceScanId=scan, PaginationConfig={"PageSize": 1})
        for each in page["Resources"]
    ]
    wanted = [
        {"ResourceType": THING, "ResourceIdentifier": {"Name": thing}},
        {"ResourceType": "AWS::IAM::Role", "ResourceIdentifier": {"RoleName": role}},
        {"ResourceType": "AWS::Lambda::Function", "ResourceIdentifier": {"FunctionName": function}},
    ]
    assert all({**each, "ManagedByStack": False} in found for each in wanted)
    tagged = client.list_resource_scan_resources(ResourceScanId=scan, TagKey="team")["Resources"]
    assert [each["ResourceIdentifier"] for each in tagged] == [{"RoleName": "writer"}]
    related = client.list_resource_scan_related_resources(ResourceScanId=scan, Resources=wanted[2:])
    assert [each["ResourceType"] for each in related["RelatedResources"]] == ["AWS::IAM::Role"]

    client.create_generated_template(GeneratedTemplateName="app", Resources=wanted)
    made = ended(lambda: client.describe_generated_template(GeneratedTemplateName="app"))
    assert (made["Status"], made["Progress"]["ResourcesSucceeded"]) == ("COMPLETE", 3), made
    kinds = {warning["Type"] for each in made["Resources"] for warning in each["Warnings"]}
    assert {"MUTUALLY_EXCLUSIVE_PROPERTIES", "UNSUPPORTED_PROPERTIES"} <= kinds
    text = client.get_generated_template(GeneratedTemplateName="app", Format="YAML")["TemplateBody"]
    template = json.loads(client.get_generated_template(GeneratedTemplateName="app")["TemplateBody"])
    assert parse_document(text, name="t.yaml", short_tags=True).value == template
    logical_ids = {each["ResourceType"]: each["LogicalResourceId"] for each in made["Resources"]}
    code = template["Resources"][logical_ids["AWS::Lambda::Function"]]["Properties"]
    assert code["Role"] == {"Fn::GetAtt": [logical_ids["AWS::IAM::Role"], "Arn"]}
    assert [each["GeneratedTemplateName"] for each in client.list_generated_templates()["Summaries"]] == ["app"]

    client.create_change_set(
        StackName="app",
        ChangeSetName="import",
        ChangeSetType="IMPORT",
        TemplateBody=text,
        Capabilities=["CAPABILITY_NAMED_IAM"],
        Parameters=[{"ParameterKey": name, "ParameterValue": "code"} for name in template["Parameters"]],
        ResourcesToImport=[{**each, "LogicalResourceId": logical_ids[each["ResourceType"]]} for each in wanted],
    )
    client.get_waiter("change_set_create_complete").wait(StackName="app", ChangeSetName="import")
    client.execute_change_set(StackName="app", ChangeSetName="import")
    client.get_waiter("stack_import_complete").wait(StackName="app")
    client.delete_generated_template(GeneratedTemplateName="app")
    assert client.list_generated_templates()["Summaries"] == []


@pytest.mark.slow
def test_what_moto_has_is_scanned(tmp_path):
    with serving(tmp_path, "--aws", "moto") as server:
        client = server.client("cloudformation")
        create(server, "AWS::SQS::Queue", QueueName="jobs")
        scan = client.start_resource_scan(ScanFilters=[{"Types": ["AWS::SQS::*"]}])["ResourceScanId"]
        done = ended(lambda: client.describe_resource_scan(ResourceScanId=scan))
        assert done["ResourceTypes"] == ["AWS::SQS::Queue"], done
        [found] = client.list_resource_scan_resources(ResourceScanId=scan)["Resources"]
        assert found["ResourceIdentifier"]["QueueUrl"].endswith("/jobs")
