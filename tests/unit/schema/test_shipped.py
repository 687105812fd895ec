"""The schemas of AWS's types that come with Formwork, checked against those that AWS has published."""

import json

import pytest

from formwork.documents import parse_document
from formwork.schema import load_resource_schema
from formwork.schema.at_hand import installed_schemas, shipped_schemas

SHIPPED = ["AWS::S3::Bucket", "AWS::SQS::Queue"]
# Texts.
NOT_SHIPPED = ("description", "examples")


def facts(value, *, names=False):
    """A schema without what is not shipped."""
    match value:
        case dict():
            return {
                key: facts(each, names=not names and key in ("properties", "definitions"))
                for key, each in value.items()
                if names or key not in NOT_SHIPPED
            }
        case list():
            return [facts(each) for each in value]
        case _:
            return value


def test_these_are_shipped():
    assert shipped_schemas().matching("*") == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_schema_says_what_the_published_one_says(name):
    published = installed_schemas().find(name)
    if published is None:
        pytest.skip("cfn-lint is not installed")
    assert facts(json.loads(shipped_schemas().find(name))) == facts(json.loads(published))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_schema_is_valid_and_has_no_texts_of_others(name):
    text = shipped_schemas().find(name)
    loaded = load_resource_schema(parse_document(text, name="shipped.json"))
    assert loaded.schema is not None
    assert loaded.schema.value["handlers"].keys() == {"create", "read", "update", "delete", "list"}
    assert text.count('"description":') == 1
