"""Versions of objects with the AWS CLI, and in buckets that a stack declares."""

import io
import json
import zipfile

import pytest
from botocore.exceptions import ClientError

from support.aws_cli import AwsCli, AwsCliError
from support.serving import serving

ACCOUNT = "111111111111"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("versions"), forked=True) as running:
        yield running


@pytest.fixture(scope="module")
def aws(server, tmp_path_factory):
    cli = AwsCli(server.url, tmp_path_factory.mktemp("home"), region="us-east-1")
    yield lambda *words: cli.run(*words, account=ACCOUNT)
    cli.close()


def test_the_aws_cli(aws, tmp_path):
    aws("s3", "mb", "s3://cli-versions")
    named = ("--bucket", "cli-versions")
    aws("s3api", "put-bucket-versioning", *named, "--versioning-configuration", "Status=Enabled")
    assert aws("s3api", "get-bucket-versioning", *named) == {"Status": "Enabled"}
    for number in range(3):
        (tmp_path / "rules.guard").write_text(f"rule r{number} {{ Resources exists }}")
        aws("s3", "cp", tmp_path / "rules.guard", "s3://cli-versions/rules.guard")
    aws("s3", "rm", "s3://cli-versions/rules.guard")
    listed = aws("s3api", "list-object-versions", *named, "--page-size", 1)
    versions = [each["VersionId"] for each in listed["Versions"]]
    (marker,) = listed["DeleteMarkers"]
    assert (len(versions), marker["IsLatest"]) == (3, True)
    of_object = (*named, "--key", "rules.guard")
    aws("s3api", "get-object", *of_object, "--version-id", versions[-1], tmp_path / "first")
    assert (tmp_path / "first").read_text() == "rule r0 { Resources exists }"
    with pytest.raises(AwsCliError, match="NoSuchKey"):
        aws("s3api", "get-object", *of_object, tmp_path / "none")
    aws("s3api", "delete-object", *of_object, "--version-id", marker["VersionId"])
    assert aws("s3api", "head-object", *of_object)["VersionId"] == versions[0]
    restored = ("--copy-source", f"cli-versions/rules.guard?versionId={versions[-1]}")
    copied = aws("s3api", "copy-object", *of_object, *restored)
    assert copied["CopySourceVersionId"] == versions[-1]
    aws("s3api", "get-object", *of_object, tmp_path / "restored")
    assert (tmp_path / "restored").read_text() == "rule r0 { Resources exists }"
    versions.append(copied["VersionId"])
    objects = [{"Key": "rules.guard", "VersionId": each} for each in versions]
    aws("s3api", "delete-objects", *named, "--delete", json.dumps({"Objects": objects}))
    aws("s3", "rb", "s3://cli-versions")


def test_a_bucket_of_a_stack_has_the_versioning_that_the_template_declares(server):
    client, s3 = server.client("cloudformation"), server.client("s3")

    def deploy(call, finished, versioning):
        properties = {"BucketName": "declared-versions"}
        if versioning is not None:
            properties["VersioningConfiguration"] = {"Status": versioning}
        body = {"Resources": {"Bucket": {"Type": "AWS::S3::Bucket", "Properties": properties}}}
        call(StackName="declared", TemplateBody=json.dumps(body))
        client.get_waiter(finished).wait(StackName="declared", WaiterConfig={"Delay": 1})

    def put(content):
        return s3.put_object(Bucket="declared-versions", Key="k", Body=content).get("VersionId")

    deploy(client.create_stack, "stack_create_complete", None)
    assert put(b"0") is None
    deploy(client.update_stack, "stack_update_complete", "Enabled")
    version = put(b"1")
    assert version is not None
    assert s3.get_bucket_versioning(Bucket="declared-versions")["Status"] == "Enabled"
    deploy(client.update_stack, "stack_update_complete", None)
    assert s3.get_bucket_versioning(Bucket="declared-versions")["Status"] == "Suspended"
    assert put(b"2") is None
    listed = s3.list_object_versions(Bucket="declared-versions")["Versions"]
    assert [each["VersionId"] for each in listed] == ["null", version]
    s3.put_bucket_versioning(Bucket="declared-versions", VersioningConfiguration={"Status": "Enabled"})
    assert put(b"3") is not None


CODE = """
def handler(event, context):
    return {"requestId": event["requestId"], "status": "success", "fragment": "%s"}
"""


def test_templates_and_code_of_a_version(server):
    client, s3 = server.client("cloudformation"), server.client("s3")
    s3.create_bucket(Bucket="sources")
    s3.put_bucket_versioning(Bucket="sources", VersioningConfiguration={"Status": "Enabled"})

    def put(key, content):
        return s3.put_object(Bucket="sources", Key=key, Body=content)["VersionId"]

    def code(text):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("index.py", CODE % text)
        return packed.getvalue()

    def deploy(name, url):
        client.create_stack(StackName=name, TemplateURL=url, Capabilities=["CAPABILITY_AUTO_EXPAND"])
        client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
        return client.describe_stacks(StackName=name)["Stacks"][0].get("Outputs", [])

    first_code, _ = put("code.zip", code("first")), put("code.zip", code("second"))
    function = {
        "Type": "AWS::Lambda::Function",
        "Properties": {
            "FunctionName": "versioned",
            "Runtime": "python3.11",
            "Handler": "index.handler",
            "Role": "arn:aws:iam::111111111111:role/r",
            "Code": {"S3Bucket": "sources", "S3Key": "code.zip", "S3ObjectVersion": first_code},
        },
    }
    macro = {"Type": "AWS::CloudFormation::Macro", "Properties": {"Name": "V", "FunctionName": {"Ref": "Function"}}}
    put("macro.json", json.dumps({"Resources": {"Function": function, "Macro": macro}}))
    deploy("macro", f"{server.url}/sources/macro.json")
    value = {"Fn::GetAtt": ["Topic", "TopicName"]}
    body = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}, "Outputs": {"Name": {"Value": value}}}
    first = put("stack.json", json.dumps({**body, "Outputs": {"Text": {"Value": {"Fn::Transform": {"Name": "V"}}}}}))
    put("stack.json", json.dumps(body))
    assert [each["OutputKey"] for each in deploy("current", f"{server.url}/sources/stack.json")] == ["Name"]
    (output,) = deploy("former", f"{server.url}/sources/stack.json?versionId={first}")
    assert (output["OutputKey"], "first" in output["OutputValue"]) == ("Text", True)
    with pytest.raises(ClientError, match="S3 error: Invalid version id specified"):
        deploy("none", f"{server.url}/sources/stack.json?versionId=other")
