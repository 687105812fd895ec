"""The module's schema as a value: which parameters the module takes, and which resources it expands to.

Source: CLI user guide (seed 002), "Generating the module schema"; the form is the one that the CLI writes and the
registry takes, which the guide's example predates.

Resources of a module are checked where the project keeps schemas in `target-schemas/`: for undeclared, read-only and
missing properties, not for values, which parameters supply only in a stack. The schemas of all types are a download of
tens of megabytes that goes stale.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from formwork.documents import Document

_RESOURCES, _PARAMETERS = "Resources", "Parameters"
MODULE_SUFFIX = "::MODULE"


class ModuleParameter(Struct, frozen=True):
    """A parameter of the fragment, as far as the schema tells: its description."""

    description: str | None = None


class ModuleSchema(Struct, frozen=True):
    """A module: `resources` are the types of its resources by logical id (`*` where the schema leaves it open)."""

    type_name: str
    description: str
    parameters: Mapping[str, ModuleParameter]
    resources: Mapping[str, str]

    @property
    def resource_types(self) -> tuple[str, ...]:
        """The types that it makes resources of, each once, modules left out: what its users need permissions for."""
        return tuple(dict.fromkeys(each for each in self.resources.values() if not each.endswith(MODULE_SUFFIX)))

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that it contains, each once."""
        return tuple(dict.fromkeys(each for each in self.resources.values() if each.endswith(MODULE_SUFFIX)))

    def to_value(self) -> dict[str, Any]:
        """Return the document that says this, as JSON has it."""
        properties: dict[str, Any] = {}
        if self.parameters:
            shown = {name: _parameter_value(each) for name, each in self.parameters.items()}
            properties[_PARAMETERS] = {"type": "object", "properties": shown}
        properties[_RESOURCES] = {
            "properties": {name: _resource_value(each) for name, each in self.resources.items()},
            "type": "object",
            "additionalProperties": False,
        }
        return {
            "typeName": self.type_name,
            "description": self.description,
            "properties": properties,
            "additionalProperties": True,
        }


def build_module_schema(document: Document) -> ModuleSchema:
    """The module in `document`; parts of the wrong kind are left out (the meta-schema has refused them before)."""
    value = document.value if isinstance(document.value, dict) else {}
    properties = _part(value, "properties")
    parameters = _part(_part(properties, _PARAMETERS), "properties")
    resources = _part(_part(properties, _RESOURCES), "properties")
    return ModuleSchema(
        type_name=str(value.get("typeName", "")),
        description=str(value.get("description", "")),
        parameters={name: ModuleParameter(_text(each, "description")) for name, each in parameters.items()},
        resources={
            name: _text(_part(_part(each, "properties"), "Type"), "const") or "*" for name, each in resources.items()
        },
    )


def _parameter_value(parameter: ModuleParameter) -> dict[str, Any]:
    members = ["Type"] if parameter.description is None else ["Type", "Description"]
    value: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in members},
        "required": members,
    }
    if parameter.description is not None:
        value["description"] = parameter.description
    return value


def _resource_value(type_name: str) -> dict[str, Any]:
    named = {"type": "string"} if type_name == "*" else {"type": "string", "const": type_name}
    return {"type": "object", "properties": {"Type": named, "Properties": {"type": "object"}}}


def _part(value: Any, key: str) -> Mapping[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _text(value: Any, key: str) -> str | None:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else None
