"""Where the schemas of AWS's types come from."""

import json

import pytest

from formwork.schema.at_hand import clean_schema, find_schemas, installed_schemas, knows_awss_types


def schema(name="AWS::Own::Thing", **more):
    return json.dumps({"typeName": name, **more})


def test_folders_come_before_what_is_installed(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    find = find_schemas([first, second]).find
    assert find("AWS::Own::Thing") is None
    assert "BucketName" in json.loads(find("AWS::S3::Bucket"))["properties"]

    second.mkdir()  # folders and files may come later
    (second / "anything.json").write_text(schema(description="the second"))
    assert json.loads(find("AWS::Own::Thing"))["description"] == "the second"
    (first / "aws-own-thing.json").write_text(schema(description="the first"))
    assert json.loads(find("AWS::Own::Thing"))["description"] == "the first"
    (first / "bucket.json").write_text(schema("AWS::S3::Bucket"))
    assert json.loads(find("AWS::S3::Bucket")) == {"typeName": "AWS::S3::Bucket"}


def test_other_files_do_no_harm(tmp_path):
    for name, text in {"a.json": "{", "b.json": "[1]", "c.json": '{"typeName": 1}', "d.txt": schema()}.items():
        (tmp_path / name).write_text(text)
    assert find_schemas([tmp_path]).find("AWS::Own::Thing") is None


def test_properties_may_have_the_names_of_keywords():
    value = {"properties": {"lifecycle": {"lifecycle": 1, "type": "string"}}, "lifecycle": 2}
    assert clean_schema(value) == {"properties": {"lifecycle": {"type": "string"}}}


@pytest.fixture
def no_cfn_lint(monkeypatch):
    monkeypatch.setattr("formwork.schema.at_hand.find_spec", lambda _name: None)


def test_without_cfn_lint_there_are_those_that_are_shipped(no_cfn_lint, tmp_path):
    here = find_schemas([tmp_path])
    assert here.matching("*") == ["AWS::S3::Bucket", "AWS::SQS::Queue"]
    assert "VisibilityTimeout" in json.loads(here.find("AWS::SQS::Queue"))["properties"]
    assert here.find("AWS::SNS::Topic") is None
    assert not knows_awss_types(here)


def test_formats_of_cfn_lint_are_not_in_what_is_published():
    key = json.loads(installed_schemas().find("AWS::SQS::Queue"))["properties"]["KmsMasterKeyId"]
    assert (key["type"], "anyOf" in key) == ("string", False)
    assert '"AWS::IAM::Role.Arn"' not in installed_schemas().find("AWS::Lambda::Function")
    assert '"date-time"' in installed_schemas().find("AWS::Connect::Instance")


def test_with_cfn_lint_awss_types_are_known():
    assert knows_awss_types(find_schemas())
