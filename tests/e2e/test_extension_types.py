"""Stacks whose resources are the registry's own: versions, defaults, configurations, publications, activations."""

import json

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.registry import GUARD, SHELF, THING, hook_package, module_package, resource_package
from support.seeds import needs_guide, publishing_templates
from support.serving import serving, upload

CF = "AWS::CloudFormation"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("extensions"), forked=True) as running:
        yield running


@pytest.fixture
def cloudformation(server):
    return server.client("cloudformation")


def deploy(client, name, template, verb="create", **parameters):
    """Create or update a stack and wait; its resources by logical id."""
    given = [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
    body = template if isinstance(template, str) else json.dumps(template)
    getattr(client, f"{verb}_stack")(StackName=name, TemplateBody=body, Parameters=given)
    client.get_waiter(f"stack_{verb}_complete").wait(StackName=name)
    found = client.describe_stack_resources(StackName=name)["StackResources"]
    return {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in found}


def delete(client, name):
    client.delete_stack(StackName=name)
    client.get_waiter("stack_delete_complete").wait(StackName=name)


def outputs(client, name):
    (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    return {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}


def failures(client, name):
    events = client.describe_stack_events(StackName=name)["StackEvents"]
    return [each["ResourceStatusReason"] for each in events if each["ResourceStatus"].endswith("_FAILED")]


def versions(client, **what):
    return [each["VersionId"] for each in client.list_type_versions(**what)["TypeVersionSummaries"]]


def attributes(name, *names):
    return {each: {"Value": {"Fn::GetAtt": [name, each]}} for each in names}


RESOURCE = {
    "Parameters": {"Package": {"Type": "String"}},
    "Resources": {
        "Version": {
            "Type": f"{CF}::ResourceVersion",
            "Properties": {"TypeName": THING, "SchemaHandlerPackage": {"Ref": "Package"}},
        },
        "Default": {
            "Type": f"{CF}::ResourceDefaultVersion",
            "Properties": {"TypeVersionArn": {"Ref": "Version"}},
        },
    },
    "Outputs": attributes(
        "Version", "Arn", "TypeArn", "VersionId", "IsDefaultVersion", "ProvisioningType", "Visibility"
    ),
}


def test_a_resource_type_by_stack(server, cloudformation):
    url = upload(server, resource_package(), key="first.zip")
    made = deploy(cloudformation, "thing", RESOURCE, Package=url)
    arn = f"arn:aws:cloudformation:us-east-1:111111111111:type/resource/{THING.replace('::', '-')}"
    assert made == {"Version": f"{arn}/00000001", "Default": arn}
    assert outputs(cloudformation, "thing") == {
        "Arn": f"{arn}/00000001",
        "TypeArn": arn,
        "VersionId": "00000001",
        "IsDefaultVersion": "true",
        "ProvisioningType": "FULLY_MUTABLE",
        "Visibility": "PRIVATE",
    }

    url = upload(server, resource_package(files={"more.txt": "2"}), key="second.zip")
    made = deploy(cloudformation, "thing", RESOURCE, "update", Package=url)
    assert made["Version"] == f"{arn}/00000002"
    assert cloudformation.describe_type(Arn=arn)["DefaultVersionId"] == "00000002"
    assert versions(cloudformation, Type="RESOURCE", TypeName=THING) == ["00000002"]

    delete(cloudformation, "thing")
    types = cloudformation.list_types(Type="RESOURCE", Filters={"Category": "REGISTERED"})["TypeSummaries"]
    assert THING not in [each["TypeName"] for each in types]


def test_a_bad_package_fails_with_its_reasons(server, cloudformation):
    url = upload(server, resource_package(schema={"typeName": THING, "properties": {}}), key="bad.zip")
    with pytest.raises(WaiterError):
        deploy(cloudformation, "bad", RESOURCE, Package=url)
    (reason,) = (each for each in failures(cloudformation, "bad") if "HandlerErrorCode: NotStabilized" in each)
    assert "primaryIdentifier" in reason
    cloudformation.get_waiter("stack_delete_complete")
    assert cloudformation.describe_stacks(StackName="bad")["Stacks"][0]["StackStatus"].startswith("ROLLBACK")


HOOK = {
    "Parameters": {"Package": {"Type": "String"}, "Mode": {"Type": "String", "Default": "FAIL"}},
    "Resources": {
        "Version": {
            "Type": f"{CF}::HookVersion",
            "Properties": {"TypeName": GUARD, "SchemaHandlerPackage": {"Ref": "Package"}},
        },
        "Default": {"Type": f"{CF}::HookDefaultVersion", "Properties": {"TypeVersionArn": {"Ref": "Version"}}},
        "Configuration": {
            "Type": f"{CF}::HookTypeConfig",
            "DependsOn": "Default",
            "Properties": {
                "TypeName": GUARD,
                "Configuration": {
                    "Fn::Sub": json.dumps(
                        {
                            "CloudFormationConfiguration": {
                                "HookConfiguration": {
                                    "TargetStacks": "ALL",
                                    "FailureMode": "${Mode}",
                                    "Properties": {"Strict": True},
                                }
                            }
                        }
                    )
                },
            },
        },
    },
}
REFUSING = (
    "def resource(event, context):\n    return {'hookStatus': 'FAILED', 'errorCode': 'NonCompliant', 'message': 'no'}\n"
)


def test_a_hook_by_stack_guards_the_next_one(server, cloudformation):
    url = upload(server, hook_package(handlers=REFUSING), key="guard.zip")
    deploy(cloudformation, "guard", HOOK, Package=url)
    bucket = {"Resources": {"Bucket": {"Type": "AWS::S3::Bucket"}}}
    with pytest.raises(WaiterError):
        deploy(cloudformation, "guarded", bucket)
    assert f"The following hook(s) failed: [{GUARD}]" in failures(cloudformation, "guarded")

    deploy(cloudformation, "guard", HOOK, "update", Package=url, Mode="WARN")
    deploy(cloudformation, "warned", bucket)
    delete(cloudformation, "guard")
    asked = [{"Type": "HOOK", "TypeName": GUARD}]
    assert cloudformation.describe_type(Type="HOOK", TypeName=GUARD)["DeprecatedStatus"] == "DEPRECATED"
    assert cloudformation.batch_describe_type_configurations(TypeConfigurationIdentifiers=asked)["Errors"]


@needs_guide
def test_the_guides_module_is_published_and_published_again(server, cloudformation):
    name = "MyOrg::MyService::MyType::MODULE"
    template = publishing_templates()[1]
    url = upload(server, module_package(name), key="module.zip")
    first = deploy(cloudformation, "publish", template, SchemaPackageURL=url, FirstTimePublishing="true")
    publisher = cloudformation.describe_publisher()["PublisherId"]
    assert first["Publisher"] == publisher
    assert first["PublishedModule"].endswith(f"::type/module/{publisher}/MyOrg-MyService-MyType-MODULE")
    told = cloudformation.describe_type(Arn=first["PublishedModule"])
    assert told["PublicVersionNumber"] == "1.0.0"

    url = upload(server, module_package(name, files={"more.txt": "2"}), key="module-2.zip")
    given = {"SchemaPackageURL": url, "FirstTimePublishing": "false", "VersionToPublish": "1.2.3"}
    second = deploy(cloudformation, "publish", template, "update", **given)
    assert second["PublishedModule"] == first["PublishedModule"]
    assert cloudformation.describe_type(Arn=first["PublishedModule"])["PublicVersionNumber"] == "1.2.3"
    assert versions(cloudformation, Type="MODULE", TypeName=name) == ["00000002"]

    other = server.client("cloudformation", account="222222222222")
    activation = {
        "Resources": {
            "Activated": {
                "Type": f"{CF}::TypeActivation",
                "Properties": {"PublicTypeArn": first["PublishedModule"], "TypeNameAlias": SHELF, "AutoUpdate": False},
            }
        }
    }
    made = deploy(other, "activate", activation)
    assert other.describe_type(Arn=made["Activated"])["OriginalTypeName"] == name
    activation["Resources"]["Activated"]["Properties"]["AutoUpdate"] = True
    deploy(other, "activate", activation, "update")
    assert other.describe_type(Arn=made["Activated"])["AutoUpdate"] is True
    delete(other, "activate")
    assert other.list_types(Filters={"Category": "ACTIVATED"})["TypeSummaries"] == []


@pytest.mark.slow
@needs_guide
def test_the_guides_resource_type_is_tested_and_published(server, cloudformation, desk, tmp_path):
    ended = desk.cfn(
        *("init", "-a", "RESOURCE", "-t", "MyOrg::MyService::MyType", "--sample", "python311", "--no-docker"),
        cwd=tmp_path,
    )
    assert ended.code == 0, str(ended)
    assert desk.cfn("submit", "--dry-run", cwd=tmp_path).code == 0
    url = upload(server, (tmp_path / "myorg-myservice-mytype.zip").read_bytes(), key="mytype.zip")
    made = deploy(cloudformation, "resource", publishing_templates()[0], SchemaPackageURL=url)
    told = cloudformation.describe_type(Arn=made["PublishedResource"])
    assert told["PublicVersionNumber"] == "1.0.0"


def test_types_that_would_only_claim_to_work_are_refused(cloudformation):
    template = {"Resources": {"Hook": {"Type": f"{CF}::GeneratedTemplate", "Properties": {}}}}
    with pytest.raises(ClientError, match="is not available on this machine, and is never simulated"):
        cloudformation.create_stack(StackName="claims", TemplateBody=json.dumps(template))
