"""Write-only properties in generated templates."""

from formwork.documents import parse_document
from formwork.iac_generator.composing import compose_resource
from formwork.iac_generator.records import TemplateResource
from formwork.schema.at_hand import find_schemas
from formwork.schema.load import load_resource_schema
from support.engines import thing_schema


def composed(schema, model):
    resource = TemplateResource(type=schema.type_name, identifier={}, logical_id="R")
    found = compose_resource(resource, schema, model)
    warnings = {each.kind: [(one["path"], one["required"]) for one in each.properties] for each in found.warnings}
    return found.body["Properties"], found.parameters, warnings


def secret_schema(secret, *, required=("Secret",)):
    names = ("Id", "Name", "Size")
    properties = {**{name: {"type": "string"} for name in names}, "Secret": secret}
    return thing_schema(
        properties=properties,
        required=list(required),
        readOnlyProperties=["/properties/Id"],
    )


def test_a_required_one_is_a_parameter():
    properties, parameters, warnings = composed(
        secret_schema({"type": "string", "description": "What opens it"}), {"Id": "i", "Name": "n"}
    )
    assert properties == {"Name": "n", "Secret": {"Ref": "RSecret"}}
    assert parameters == {"RSecret": {"NoEcho": "true", "Type": "String", "Description": "What opens it"}}
    assert warnings == {}


def test_types_of_parameters():
    for kind, declared in {"integer": "Number", "number": "Number", "boolean": "String"}.items():
        _, parameters, _ = composed(secret_schema({"type": kind}), {})
        assert parameters["RSecret"]["Type"] == declared
    _, parameters, warnings = composed(secret_schema({"type": ["object", "string"]}), {})
    assert parameters["RSecret"]["Type"] == "String"
    assert warnings == {"MUTUALLY_EXCLUSIVE_TYPES": [("Secret", True)]}


def test_arrays_and_optional_ones_are_left_out():
    array = {"type": "array", "items": {"type": "string"}}
    assert composed(secret_schema(array), {}) == ({}, {}, {"UNSUPPORTED_PROPERTIES": [("Secret", True)]})
    optional = secret_schema({"type": "string"}, required=())
    assert composed(optional, {}) == ({}, {}, {"UNSUPPORTED_PROPERTIES": [("Secret", False)]})


def test_of_exclusive_sets_the_first_is_taken():
    """As the guide says of the code of functions."""
    text = find_schemas().find("AWS::Lambda::Function")
    schema = load_resource_schema(parse_document(text, name="function.json")).schema
    properties, parameters, warnings = composed(schema, {"FunctionName": "f", "Role": "arn:aws:iam::1:role/r"})
    assert properties["Code"] == {"S3Bucket": {"Ref": "RCodeS3BucketOneOf"}, "S3Key": {"Ref": "RCodeS3KeyOneOf"}}
    assert parameters["RCodeS3KeyOneOf"]["Description"].endswith("can be replaced with other exclusive properties")
    exclusive = dict(warnings["MUTUALLY_EXCLUSIVE_PROPERTIES"])
    assert exclusive == {"Code/S3Bucket": True, "Code/S3Key": True}
    assert ("Code/S3ObjectVersion", False) in warnings["UNSUPPORTED_PROPERTIES"]
    assert "Code/ZipFile" not in str(warnings)
