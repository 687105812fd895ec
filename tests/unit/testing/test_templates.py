"""What a test may deploy: files, CDK assemblies with assets, SAM and templates that name local files."""

import json

import pytest

from formwork.diagnostics import UsageError
from formwork.documents import parse_document

FUNCTION = "def handle(event, context):\n    return {'greeting': 'hello ' + event['name']}\n"
TOPIC = {"Resources": {"News": {"Type": "AWS::SNS::Topic"}}}


def invoke(cloudformation, name):
    answer = cloudformation.client("lambda").invoke(FunctionName=name, Payload=b'{"name": "you"}')
    return json.loads(answer["Payload"].read())


def write_assembly(folder, template, assets=None):
    folder.mkdir()
    stack = {"type": "aws:cloudformation:stack", "properties": {"templateFile": "Shop.template.json"}}
    (folder / "manifest.json").write_text(json.dumps({"version": "36.0.0", "artifacts": {"Shop": stack}}))
    (folder / "Shop.template.json").write_text(json.dumps(template))
    (folder / "Shop.assets.json").write_text(json.dumps({"files": assets or {}}))
    return folder


def test_a_file_of_yaml(cloudformation, tmp_path):
    (tmp_path / "shop.yml").write_text("Resources: {News: {Type: 'AWS::SNS::Topic'}}\n")
    assert "News" in cloudformation.deploy(tmp_path / "shop.yml").resources
    assert "News" in cloudformation.deploy(str(tmp_path / "shop.yml")).resources
    with pytest.raises(UsageError, match=r"none\.yml.* is not a file"):
        cloudformation.deploy(tmp_path / "none.yml")


def test_a_template_that_is_open_and_bytes(cloudformation):
    text = "Resources: {News: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref AWS::Region}}}\n"
    opened = parse_document(text, name="shop.yml", short_tags=True)
    for number, given in enumerate((text, text.encode(), opened)):
        shop = cloudformation.deploy(given, stack=f"shop-{number}")
        assert shop.resources["News"].properties["DisplayName"] == "us-east-1"


def test_an_assembly_of_the_cdk_with_its_assets(cloudformation, tmp_path):
    bucket = "cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}"
    code = {"S3Bucket": {"Fn::Sub": bucket}, "S3Key": "a.zip"}
    role = {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": []}}}
    properties = {"Code": code, "Handler": "app.handle", "Runtime": "python3.12", "Role": {"Fn::GetAtt": ["R", "Arn"]}}
    template = {
        "Parameters": {"BootstrapVersion": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/cdk/version"}},
        "Rules": {"CheckBootstrapVersion": {"Assertions": []}},
        "Resources": {"Greet": {"Type": "AWS::Lambda::Function", "Properties": properties}, "R": role},
    }
    where = {"here": {"bucketName": bucket, "objectKey": "a.zip"}}
    assets = {"a": {"source": {"path": "asset.a", "packaging": "zip"}, "destinations": where}}
    folder = write_assembly(tmp_path / "cdk.out", template, assets)
    (folder / "asset.a").mkdir()
    (folder / "asset.a" / "app.py").write_text(FUNCTION)
    shop = cloudformation.deploy(folder)
    assert shop.name == "Shop"
    assert invoke(cloudformation, shop.resources["Greet"].physical_id) == {"greeting": "hello you"}


def test_a_stack_of_an_assembly_is_named(cloudformation, tmp_path):
    folder = write_assembly(tmp_path / "cdk.out", TOPIC)
    assert cloudformation.deploy(folder, stack="Shop").name == "Shop"
    with pytest.raises(UsageError, match='0 of them named "Other"'):
        cloudformation.deploy(folder, stack="Other")


def test_sam_with_local_code(cloudformation, tmp_path):
    pytest.importorskip("samtranslator")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").write_text(FUNCTION)
    (tmp_path / "template.yaml").write_text(
        """
Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.12, CodeUri: src/}}
Resources:
  Greet: {Type: AWS::Serverless::Function, Properties: {Handler: app.handle}}
"""
    )
    shop = cloudformation.deploy(tmp_path / "template.yaml")
    assert invoke(cloudformation, shop.resources["Greet"].physical_id) == {"greeting": "hello you"}


def test_a_nested_stack_in_a_file(cloudformation, tmp_path):
    (tmp_path / "inner.json").write_text(json.dumps(TOPIC))
    inner = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "inner.json"}}
    (tmp_path / "outer.json").write_text(json.dumps({"Resources": {"Inner": inner}}))
    outer = cloudformation.deploy(tmp_path / "outer.json")
    assert outer.resources["Inner"].type == "AWS::CloudFormation::Stack"
