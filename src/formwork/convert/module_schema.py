"""A module's fragment to the module's schema: the contract that its users see in the registry."""

from formwork.schema.module import ModuleParameter, ModuleSchema
from formwork.template import Template


def module_schema(type_name: str, template: Template) -> ModuleSchema:
    """The schema of the module `type_name` (`Organization::Service::Name::MODULE`) whose fragment is `template`."""
    return ModuleSchema(
        type_name=type_name,
        description=f"Schema for Module Fragment of type {type_name}",
        parameters={name: ModuleParameter(each.description) for name, each in template.parameters.items()},
        resources={name: each.type for name, each in template.resources.items()},
    )
