"""Versions of objects with the AWS CLI, and in buckets that a stack declares."""

import json

import pytest

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
