"""The types of AWS's that stand for the registry's operations, and the guide's templates that use them."""

import pytest

from formwork.diagnostics import Severity
from formwork.documents import DocumentFormat, load_document, parse_document
from formwork.extensions import ExtensionKind
from formwork.registry import builtin
from formwork.registry.builtin import builtin_schema, builtin_types
from formwork.registry.requests import DescribeTypeRequest, TypeReference
from formwork.schema import validate_schema
from formwork.schema.resource import build_resource_schema
from formwork.template import read_template, to_value
from support.registry import HERE, open_desk
from support.seeds import needs_guide, publishing_templates

NAMES = (
    *("ResourceVersion", "ResourceDefaultVersion", "ModuleVersion", "ModuleDefaultVersion", "HookVersion"),
    *(
        "HookDefaultVersion",
        "HookTypeConfig",
        "Publisher",
        "PublicTypeVersion",
        "TypeActivation",
        "GuardHook",
        "LambdaHook",
    ),
)


def schema_of(name):
    (path,) = [each for each in builtin._FOLDER.glob("*.json") if each.stem == name.rpartition("::")[2]]
    return build_resource_schema(load_document(path))


def test_all_of_them_are_known():
    assert set(builtin_types()) == {f"AWS::CloudFormation::{name}" for name in NAMES}
    assert builtin_schema(ExtensionKind.HOOK, "AWS::CloudFormation::HookVersion") is None
    assert builtin_schema(ExtensionKind.RESOURCE, "AWS::S3::Bucket") is None


@pytest.mark.parametrize("name", NAMES)
def test_their_schemas_are_valid_and_described(tmp_path, name):
    found = validate_schema(load_document(builtin._FOLDER / f"{name}.json"))
    assert [each for each in found if each.severity is Severity.ERROR] == []
    desk = open_desk(tmp_path / "state")
    for reference in (
        TypeReference(kind=ExtensionKind.RESOURCE, name=f"AWS::CloudFormation::{name}"),
        TypeReference(arn=f"arn:aws:cloudformation:us-east-1::type/resource/AWS-CloudFormation-{name}"),
    ):
        described = desk.registry.describe_type(HERE, DescribeTypeRequest(type=reference))
        assert (described.visibility, described.name) == ("PUBLIC", f"AWS::CloudFormation::{name}")
    desk.close()


@needs_guide
@pytest.mark.parametrize("index", [0, 1])
def test_the_guides_publishing_templates_validate(index):
    document = parse_document(
        publishing_templates()[index], name="template.yaml", format=DocumentFormat.YAML, short_tags=True
    )
    read = read_template(document)
    assert [each for each in read.diagnostics if each.severity is Severity.ERROR] == []
    resources = read.template.resources.values()
    assert len(resources) == 4
    for resource in resources:
        schema = schema_of(resource.type)
        properties = to_value(resource.properties)
        assert set(properties) <= set(schema.properties)
        assert set(schema.required_for_create) <= set(properties)
        literals = {name: each for name, each in properties.items() if not isinstance(each, dict)}
        wrong = [each for each in schema.validate_model(literals) if each.code != "model.missing-property"]
        assert wrong == []
