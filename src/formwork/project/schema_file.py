"""The project's schema file: the place where the project folder meets the schema."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import Document, load_document
from formwork.project.names import ExtensionKind
from formwork.project.project import Project
from formwork.schema import HookSchema, ResourceSchema, load_hook_schema, load_resource_schema

ExtensionSchema: TypeAlias = ResourceSchema | HookSchema
_HOOK_HANDLERS = {"preCreate", "preUpdate", "preDelete"}


def kind_of_schema(value: Mapping[str, Any]) -> ExtensionKind:
    """What a schema describes, by what stands in it."""
    if str(value.get("typeName", "")).endswith("::MODULE"):
        return ExtensionKind.MODULE
    handlers = value.get("handlers")
    if value.get("type") == "HOOK" or (isinstance(handlers, dict) and _HOOK_HANDLERS & handlers.keys()):
        return ExtensionKind.HOOK
    return ExtensionKind.RESOURCE


def load_schema(document: Document, kind: ExtensionKind) -> tuple[ExtensionSchema | None, list[Diagnostic]]:
    """The schema of that kind in `document`, None if it has errors, and all that was found; a module's is not read."""
    if kind is ExtensionKind.MODULE:
        return None, []
    loaded = load_hook_schema(document) if kind is ExtensionKind.HOOK else load_resource_schema(document)
    return loaded.schema, loaded.diagnostics


def load_project_schema(project: Project) -> tuple[ExtensionSchema | None, list[Diagnostic]]:
    """The schema of the project, None if it has errors, and all that was found.

    Raises:
        BadInputError: there is no schema file, or it is no document at all.
    """
    path = project.schema_path
    if not path.is_file():
        raise BadInputError.of(
            "project.schema-missing",
            f'the schema of "{project.type_name}" is missing',
            location=Location(str(path)),
            expected=f"{path.name}, or the same as .yaml",
            hint="put it there, or mend the type's name in .rpdk-config",
        )
    schema, diagnostics = load_schema(load_document(path), project.kind)
    if schema is not None and schema.type_name != project.type_name:
        diagnostics = [*diagnostics, _other_type(project, schema)]
    return schema, diagnostics


def expect_project_schema(project: Project) -> tuple[ExtensionSchema, list[Diagnostic]]:
    """The schema of the project and the warnings about it.

    Raises:
        BadInputError: it has errors; all that was found is told.
    """
    schema, diagnostics = load_project_schema(project)
    if schema is None or any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
    return schema, diagnostics


def _other_type(project: Project, schema: ExtensionSchema) -> Diagnostic:
    message = f'the schema is of "{schema.type_name}", and the project develops "{project.type_name}"'
    location = schema.document.locate(("typeName",))
    return Diagnostic("project.other-type", Severity.ERROR, message, location, f'"typeName": "{project.type_name}"')
