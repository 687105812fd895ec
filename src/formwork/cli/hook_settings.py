"""The configuration that a hook's handlers are called with: from a file, held against the schema, or its defaults."""

from pathlib import Path
from typing import Any

from formwork.cli.places import home_folder
from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import load_document
from formwork.project import ExtensionKind, Project
from formwork.project.schema_file import expect_project_schema
from formwork.project.type_configuration import DEFAULT_TYPE_CONFIGURATION, load_type_configuration
from formwork.schema import HookSchema


def expect_hook(project: Project) -> tuple[HookSchema, list[Diagnostic]]:
    """The hook's schema, and warnings about it.

    Raises:
        BadInputError: it has errors.
    """
    schema, warnings = expect_project_schema(project)
    assert isinstance(schema, HookSchema)
    return schema, warnings


def hook_configuration(schema: HookSchema, named: Path | None) -> tuple[dict[str, Any], list[Diagnostic]]:
    """The properties that requests carry as `hookModel`, and warnings.

    They are those of the file `named`, else of the one in the home folder where it is this hook's; without a file, the
    defaults of the schema.

    Raises:
        BadInputError: the file named is no configuration of this hook.
    """
    path = named or home_folder() / DEFAULT_TYPE_CONFIGURATION
    if named is None and not path.is_file():
        return _defaults(schema)
    found = schema.validate_configuration(load_document(path))
    if any(each.severity is Severity.ERROR for each in found):
        raise BadInputError(found)
    return load_type_configuration(path, ExtensionKind.HOOK, required=True) or {}, found


def _defaults(schema: HookSchema) -> tuple[dict[str, Any], list[Diagnostic]]:
    values = schema.defaults
    missing = [name for name in schema.required if name not in values]
    if not missing:
        return values, []
    message = f"no configuration is given, and the hook requires {', '.join(missing)}"
    location = schema.document.locate(("typeConfiguration", "required"), key=True)
    hint = f"name a configuration file with --typeconfig, or write ~/{DEFAULT_TYPE_CONFIGURATION}"
    return values, [Diagnostic("test.hook-configuration", Severity.WARNING, message, location, hint=hint)]
