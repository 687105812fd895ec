"""Checks of the resources of a module's fragment against the schemas of their types that the project contains.

A project keeps those schemas in `target-schemas/`, as a hook does. Values are judged only as far as names go: what
functions and parameters become is known in a stack, and CloudFormation turns texts into numbers and back.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from formwork.diagnostics import Diagnostic, Severity
from formwork.documents import DocumentFormat, parse_document
from formwork.project.project import Project
from formwork.project.targets import TARGET_SCHEMAS_FOLDER, load_targets
from formwork.schema.resource import ResourceSchema, build_resource_schema
from formwork.schema.view import COMBINERS, UNKNOWN, Subschema
from formwork.template import Resource, Template
from formwork.template.expressions import Expression, Items, Members

_COMBINED = (*COMBINERS, "patternProperties")
# Types that are not in the registry, or whose properties are the author's own.
_OPEN = ("Custom::", "AWS::CloudFormation::CustomResource", "AWS::CloudFormation::WaitCondition")


def check_resources(project: Project, template: Template) -> list[Diagnostic]:
    """Return diagnostics of resources whose types have schemas in the project, and of unknown types beside these."""
    loaded = load_targets(project)
    found = list(loaded.diagnostics)
    schemas = {name: _built(each.schema) for name, each in loaded.targets.items() if each.schema is not None}
    for resource in template.resources.values() if schemas else ():
        if resource.is_module or resource.type.startswith(_OPEN):
            continue
        schema = schemas.get(resource.type)
        if schema is None:
            found += _unknown_type(template, resource, schemas)
        else:
            found += check_resource(template, resource, schema)
    return found


def _built(schema: Mapping[str, Any]) -> ResourceSchema:
    import json  # noqa: PLC0415 - only where a project has schemas

    return build_resource_schema(parse_document(json.dumps(schema), name="schema", format=DocumentFormat.JSON))


def _unknown_type(
    template: Template, resource: Resource, schemas: Mapping[str, ResourceSchema]
) -> Iterator[Diagnostic]:
    """Report a type that the project has no schema of, where it has schemas of other types of the same service."""
    service = resource.type.rpartition("::")[0]
    siblings = sorted(each for each in schemas if each.rpartition("::")[0] == service)
    if siblings:
        yield Diagnostic(
            "module.unknown-type",
            Severity.WARNING,
            f'{TARGET_SCHEMAS_FOLDER}/ has schemas of {service} types, but none of "{resource.type}"',
            template.document.locate((*resource.path, "Type")),
            ", ".join(siblings),
        )


def check_resource(template: Template, resource: Resource, schema: ResourceSchema) -> Iterator[Diagnostic]:
    """Yield what is wrong with the properties of a resource whose type has `schema`."""
    at = (*resource.path, "Properties")
    given = resource.properties.members if isinstance(resource.properties, Members) else {}
    missing = [each for each in schema.required if each not in given and (each,) not in schema.read_only]
    if missing and (resource.properties is None or isinstance(resource.properties, Members)):
        yield Diagnostic(
            "module.missing-property",
            Severity.ERROR,
            f'"{resource.logical_id}" lacks required properties of {resource.type}: {", ".join(missing)}',
            template.document.locate(at if given else resource.path, key=True),
        )
    for path in schema.read_only:
        if len(path) == 1 and path[0] in given:
            yield Diagnostic(
                "module.read-only-property",
                Severity.ERROR,
                f'"{path[0]}" of {resource.type} is readOnly: a template cannot set it',
                template.document.locate((*at, path[0]), key=True),
            )
    if resource.properties is not None:
        yield from _names(template, schema, schema.view.root, resource.properties)


def _names(template: Template, schema: ResourceSchema, node: Subschema, value: Expression) -> Iterator[Diagnostic]:
    """Report names that a closed object does not declare, at any depth; the value of a function may be anything."""
    if any(each in node for each in _COMBINED) and node is not schema.view.root:
        return
    if isinstance(value, Items):
        items = node.items.target if node.items is not None else UNKNOWN
        for each in value.items:
            yield from _names(template, schema, items, each)
        return
    if not isinstance(value, Members):
        return
    declared = node.properties
    for name, each in value.members.items():
        if name in declared:
            yield from _names(template, schema, declared[name].target, each)
        elif node.is_closed:
            yield Diagnostic(
                "module.unknown-property",
                Severity.ERROR,
                f'{schema.type_name} has no property "{name}" here',
                template.document.locate((*value.path, name), key=True),
                ", ".join(sorted(declared)) or None,
            )
