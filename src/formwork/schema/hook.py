"""The hook's schema as a value."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import Diagnostic, sort_diagnostics
from formwork.documents import Document
from formwork.schema.resource import texts
from formwork.schema.view import SchemaView


class HookHandler(Struct, frozen=True):
    """The handler of an invocation point in a schema; a target name may hold `*` and `?`."""

    target_names: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()


class HookSchema(Struct, frozen=True):
    """A hook; `properties` are those of its type configuration."""

    document: Document
    value: Mapping[str, Any]
    type_name: str
    description: str
    type_configuration: Mapping[str, Any]
    properties: Mapping[str, Any]
    required: tuple[str, ...]
    definitions: Mapping[str, Any]
    handlers: Mapping[str, HookHandler]
    view: SchemaView

    @property
    def defaults(self) -> dict[str, Any]:
        """The configuration that follows from the schema alone: each property that has a default."""
        configuration = self.view.node(self.type_configuration, ("typeConfiguration",))
        schemas = {name: node.target for name, node in configuration.properties.items()}
        return {name: node.value["default"] for name, node in schemas.items() if "default" in node}

    def validate_configuration(self, document: Document) -> list[Diagnostic]:
        """Return what is wrong with the type configuration in `document`: properties and CloudFormation's settings."""
        from formwork.schema.configuration import check_configuration  # noqa: PLC0415 - as below
        from formwork.schema.hook_configuration import check_hook_settings  # noqa: PLC0415 - the same

        found = check_configuration({**self.value, "typeConfiguration": self.type_configuration}, document)
        return sort_diagnostics([*check_hook_settings(document), *found])

    def validate_model(self, model: Any, *, shape_only: bool = False) -> list[Diagnostic]:
        """Return what is wrong with `model` as a configuration of this hook; see `ResourceSchema.validate_model`."""
        from formwork.schema.models import check_model  # noqa: PLC0415 - jsonschema-rs and regex, only for models
        from formwork.schema.validator import compile_configuration_validator  # noqa: PLC0415 - the same

        schema = {**self.value, "typeConfiguration": self.type_configuration}
        return check_model(compile_configuration_validator(schema, shape_only=shape_only), model)


def build_hook_schema(document: Document) -> HookSchema:
    """Return the hook in `document`; parts of the wrong kind are left out (the meta-schema has refused them before)."""
    value: Mapping[str, Any] = document.value if isinstance(document.value, dict) else {}
    configuration = _part(value, "typeConfiguration")
    return HookSchema(
        document=document,
        value=value,
        type_name=str(value.get("typeName", "")),
        description=str(value.get("description", "")),
        type_configuration=configuration,
        properties=_part(configuration, "properties"),
        required=texts(configuration.get("required")),
        definitions=_part(value, "definitions"),
        handlers={
            name: HookHandler(texts(each.get("targetNames")), texts(each.get("permissions")))
            for name, each in _part(value, "handlers").items()
            if isinstance(each, dict)
        },
        view=SchemaView(value),
    )


def _part(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}
