"""A module's fragment to the module's schema: the contract that its users see in the registry.

Source: CLI user guide (seed 002), "Generating the module schema"; the form is the one that the CLI writes and the
registry takes, which the guide's example predates.
"""

from typing import Any

from formwork.template import Parameter, Resource, Template


def module_schema(type_name: str, template: Template) -> dict[str, Any]:
    """The schema of the module `type_name` (`Organization::Service::Name::MODULE`) whose fragment is `template`."""
    properties: dict[str, Any] = {}
    if template.parameters:
        properties["Parameters"] = {
            "type": "object",
            "properties": {name: _parameter(each) for name, each in template.parameters.items()},
        }
    properties["Resources"] = {
        "properties": {name: _resource(each) for name, each in template.resources.items()},
        "type": "object",
        "additionalProperties": False,
    }
    return {
        "typeName": type_name,
        "description": f"Schema for Module Fragment of type {type_name}",
        "properties": properties,
        "additionalProperties": True,
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    members = ["Type"] if parameter.description is None else ["Type", "Description"]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in members},
        "required": members,
    }
    if parameter.description is not None:
        schema["description"] = parameter.description
    return schema


def _resource(resource: Resource) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"Type": {"type": "string", "const": resource.type}, "Properties": {"type": "object"}},
    }
