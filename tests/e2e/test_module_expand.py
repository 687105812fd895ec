"""`cfn module expand`."""

import json

import pytest

from formwork.cli.main import main

FRAGMENT = {
    "Parameters": {"BucketName": {"Type": "String"}},
    "Resources": {"S3Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": {"Ref": "BucketName"}}}},
}
TEMPLATE = """
Parameters:
  BucketName: {Type: String}
Resources:
  MyBucket:
    Type: My::S3::SampleBucket::MODULE
    Properties: {BucketName: !Ref BucketName}
  Queue:
    Type: AWS::SQS::Queue
    Properties: {QueueName: !Ref MyBucket.S3Bucket}
Outputs:
  BucketArn: {Value: !GetAtt MyBucket.S3Bucket.Arn}
"""


@pytest.fixture
def workspace(tmp_path):
    module = tmp_path / "modules" / "bucket"
    (module / "fragments").mkdir(parents=True)
    (module / "fragments" / "sample.json").write_text(json.dumps(FRAGMENT))
    config = {"artifact_type": "MODULE", "typeName": "My::S3::SampleBucket::MODULE", "settings": {}}
    (module / ".rpdk-config").write_text(json.dumps(config))
    (tmp_path / "template.yaml").write_text(TEMPLATE)
    return tmp_path


def test_expand(workspace, capsys):
    arguments = ["module", "expand", str(workspace / "template.yaml"), "--modules", str(workspace / "modules")]
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "Parameters": {"BucketName": {"Type": "String"}},
        "Resources": {
            "MyBucketS3Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": {"Ref": "BucketName"}}},
            "Queue": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": {"Ref": "MyBucketS3Bucket"}}},
        },
        "Outputs": {"BucketArn": {"Value": {"Fn::GetAtt": ["MyBucketS3Bucket", "Arn"]}}},
    }
    assert main(arguments) == 0
    assert "QueueName: !Ref MyBucketS3Bucket" in capsys.readouterr().out


def test_unknown_module(workspace, capsys):
    assert main(["module", "expand", str(workspace / "template.yaml")]) == 1
    shown = capsys.readouterr()
    assert "error[module.unknown]" in shown.err
    assert "template.yaml:6" in shown.err
    assert shown.out == ""
