"""Resources of a service to CloudFormation resource schemas."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.convert.context import ConversionContext
from formwork.convert.errors import config_error, conversion_error
from formwork.convert.json_schema.document import definitions_of
from formwork.convert.json_schema.schemas import SchemaWriter, utf16_key
from formwork.convert.mappers import MAPPERS
from formwork.convert.naming import CFN_RESOURCE, member_base_name, type_name
from formwork.convert.options import CfnOptions
from formwork.convert.resource.index import cfn_resource
from formwork.convert.resource.members import synthetic_members
from formwork.convert.resource.tagging import TaggingIndex
from formwork.diagnostics import BadInputError, Diagnostic
from formwork.smithy.bindings import Bindings
from formwork.smithy.model import Model
from formwork.smithy.places import NOWHERE, SourcePlace
from formwork.smithy.reachable import reachable_from
from formwork.smithy.shapes import MemberShape, ResourceShape, ServiceShape, Shape, ShapeType

_KEYS = (
    "typeName", "description", "sourceUrl", "documentationUrl", "definitions", "properties", "required",
    "readOnlyProperties", "writeOnlyProperties", "createOnlyProperties", "deprecatedProperties", "primaryIdentifier",
    "additionalIdentifiers", "handlers", "remotes", "tagging",
)  # fmt: skip


def file_name(type_name: str) -> str:
    """Return the name of the file for a type: `AWS::S3::Bucket` gives `aws-s3-bucket.json`."""
    return type_name.lower().replace("::", "-") + ".json"


class ConvertedType(Struct, frozen=True):
    """One resource type: its schema, and where in the model the parts of the schema come from.

    `places` has the pointers "", `/properties/<Name>` and `/definitions/<Name>`.
    """

    type_name: str
    schema: dict[str, Any]
    places: Mapping[str, SourcePlace]


def convert(model: Model, options: CfnOptions) -> dict[str, dict[str, Any]]:
    """Type name → resource schema, for every resource with @cfnResource that the configured service leads to.

    Raises:
        BadInputError: the configuration or the model doesn't allow it.
    """
    return {each.type_name: each.schema for each in convert_types(model, options)}


class Conversion(Struct, frozen=True):
    """The resource types of a model that could be converted, and by name why the others could not."""

    types: list[ConvertedType]
    problems: Mapping[str, tuple[Diagnostic, ...]]


def convert_types(model: Model, options: CfnOptions) -> list[ConvertedType]:
    """Return the same, with the places that the schemas come from.

    Raises:
        BadInputError: the configuration or the model doesn't allow it.
    """
    conversion = convert_each(model, options)
    if conversion.problems:
        raise BadInputError(dict.fromkeys(found for each in conversion.problems.values() for found in each))
    return conversion.types


def convert_each(model: Model, options: CfnOptions) -> Conversion:
    """Convert every type by itself: what is wrong with one keeps no other from being converted.

    Raises:
        BadInputError: the configuration doesn't allow any conversion.
    """
    service = _service(model, options)
    bindings = Bindings(model)

    def name_property(member: MemberShape) -> str:
        return member_base_name(member, options)

    writer = SchemaWriter(model, options.json_schema, name_property=name_property)
    tagging = TaggingIndex(model, service)
    converted: list[ConvertedType] = []
    problems: dict[str, tuple[Diagnostic, ...]] = {}
    for resource in resources_of(model, service):
        name = type_name(service, resource, options)
        try:
            cfn = cfn_resource(bindings, resource)
            members = synthetic_members(model, options, cfn, tagging)
            context = ConversionContext(model, options, service, resource, cfn, members, writer, tagging, name)
            converted.append(ConvertedType(name, _schema(context), _places(context)))
        except BadInputError as error:
            place = resource.place.location
            problems[name] = tuple(
                each if each.location.file else replace(each, location=place) for each in error.diagnostics
            )
    return Conversion(converted, problems)


def _places(context: ConversionContext) -> dict[str, SourcePlace]:
    places = {"": context.resource.place}
    for name, member in context.members.items():
        identifier = member.place is NOWHERE
        places[context.pointer(name)] = context.resource.place if identifier else member.place
    reached = reachable_from(context.model, [member.target for member in context.members.values()])
    for shape_id in reached:
        shape = context.model.shapes.get(shape_id)
        if shape is not None and context.writer.is_definition(shape):
            places[f"/definitions/{context.writer.references.name(shape)}"] = shape.place
    return places


def _service(model: Model, options: CfnOptions) -> ServiceShape:
    service_id = options.json_schema.service
    if service_id is None:
        raise config_error(
            "cloudformation is missing required property, `service`",
            hint="set it in the plugin's settings or with --service",
        )
    service = model.get(service_id)
    if not isinstance(service, ServiceShape):
        found = "is not in the model" if service is None else f"is a {service.type}, not a service"
        known = ", ".join(each.id for each in model.services) or "none"
        raise conversion_error(f'the service "{service_id}" {found}', hint=f"services in the model: {known}")
    return service


def resources_of(model: Model, service: ServiceShape) -> list[ResourceShape]:
    """Return the resources with @cfnResource that a service leads to, through resources that have it or not."""
    found: dict[str, ResourceShape] = {}
    todo = list(service.resources)
    for resource_id in todo:  # grows while it is walked
        resource = model.get(resource_id)
        if isinstance(resource, ResourceShape) and resource_id not in found:
            found[resource_id] = resource
            todo += resource.resources
    return [each for _, each in sorted(found.items()) if each.has_trait(CFN_RESOURCE)]


def _schema(context: ConversionContext) -> dict[str, Any]:
    documentation = context.resource.trait("documentation")
    schema: dict[str, Any] = {
        "typeName": context.type_name,
        "description": documentation
        if isinstance(documentation, str)
        else f"Definition of {context.type_name} Resource Type",
    }
    properties = _properties(context)
    definitions = _definitions(context)
    if definitions:
        schema["definitions"] = definitions
    if properties:
        schema["properties"] = properties
    else:
        message = f"Expected CloudFormation resource {context.type_name} to have properties, found none"
        raise conversion_error(message)
    for mapper in MAPPERS:
        mapper(context, schema)
    known = {key: schema[key] for key in _KEYS if key in schema}
    others = {key: value for key, value in schema.items() if key not in _KEYS}
    return {**known, **others, "additionalProperties": False}


def _properties(context: ConversionContext) -> dict[str, Any]:
    structure = Shape(id=f"{context.resource.id}__SYNTHETIC__", type=ShapeType.STRUCTURE, members=context.members)
    properties: dict[str, Any] = context.writer.schema(structure).get("properties", {})
    return {name: properties[name] for name in sorted(properties, key=utf16_key)}


def _definitions(context: ConversionContext) -> dict[str, Any]:
    targets = [member.target for member in context.members.values()]
    reached = reachable_from(context.model, targets)
    return definitions_of(
        context.writer, [context.model.shapes[each] for each in reached if each in context.model.shapes]
    )
