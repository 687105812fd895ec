"""The type configuration handlers are called with: a file's, checked against the schema, or a hook's defaults."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formwork.command_context.places import home_folder
from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.project import Project
from formwork.project.schema_file import expect_project_schema
from formwork.project.type_configuration import DEFAULT_TYPE_CONFIGURATION, load_type_configuration
from formwork.schema import HookSchema, ResourceSchema


def expect_hook(project: Project) -> tuple[HookSchema, list[Diagnostic]]:
    """Return the hook's schema, and warnings about it.

    Raises:
        BadInputError: it has errors.
    """
    schema, warnings = expect_project_schema(project)
    assert isinstance(schema, HookSchema)
    return schema, warnings


def resource_configuration(
    schema: ResourceSchema, named: Path | None
) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """Return the configuration that requests carry, None without a file, and warnings.

    It is read from the file `named`, else from the one in the home folder. The latter is sent unchecked to a type
    without a typeConfiguration: it may be meant for another type. An empty one is fit for every type.

    Raises:
        BadInputError: the file is not a valid configuration of this type.
    """
    path = named or home_folder() / DEFAULT_TYPE_CONFIGURATION
    if named is None and not path.is_file():
        return None, _missing("test.type-configuration", schema, _required(schema.type_configuration))
    configuration = load_type_configuration(path, ExtensionKind.RESOURCE, required=True)
    if schema.type_configuration is None and (named is None or not configuration):
        return configuration, []
    return configuration, _checked(schema, path)


def hook_configuration(schema: HookSchema, named: Path | None) -> tuple[dict[str, Any], list[Diagnostic]]:
    """Return the properties that requests carry as `hookModel`, and warnings.

    They are those of the file `named`, else of the one in the home folder where it is this hook's; without a file, the
    defaults of the schema.

    Raises:
        BadInputError: the named file is not a configuration of this hook.
    """
    path = named or home_folder() / DEFAULT_TYPE_CONFIGURATION
    if named is None and not path.is_file():
        return _defaults(schema)
    found = _checked(schema, path)
    return load_type_configuration(path, ExtensionKind.HOOK, required=True) or {}, found


def _checked(schema: HookSchema | ResourceSchema, path: Path) -> list[Diagnostic]:
    """Warnings about the configuration in `path`; its errors are raised."""
    found = schema.validate_configuration(load_document(path))
    if any(each.severity is Severity.ERROR for each in found):
        raise BadInputError(found)
    return found


def _defaults(schema: HookSchema) -> tuple[dict[str, Any], list[Diagnostic]]:
    values = schema.defaults
    missing = [name for name in schema.required if name not in values]
    return values, _missing("test.hook-configuration", schema, missing)


def _required(configuration: Mapping[str, Any] | None) -> list[str]:
    """Return the names of the properties that a configuration must have."""
    required = (configuration or {}).get("required")
    return [each for each in required if isinstance(each, str)] if isinstance(required, list) else []


def _missing(code: str, schema: HookSchema | ResourceSchema, names: list[str]) -> list[Diagnostic]:
    """Return a warning if no configuration is given although the type requires the properties `names`."""
    if not names:
        return []
    kind = "hook" if isinstance(schema, HookSchema) else "type"
    message = f"missing configuration: the {kind} requires {', '.join(names)}"
    location = schema.document.locate(("typeConfiguration", "required"), key=True)
    hint = f"give a configuration file with --typeconfig, or write ~/{DEFAULT_TYPE_CONFIGURATION}"
    return [Diagnostic(code, Severity.WARNING, message, location, hint=hint)]
