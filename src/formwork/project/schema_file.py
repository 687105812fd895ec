"""Loading and checking of a project's schema."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import Document
from formwork.extensions import ExtensionKind
from formwork.project.project import Project
from formwork.project.schema_document import check_type_name, load_schema_document, schema_references
from formwork.schema import HookSchema, ResourceSchema, load_hook_schema, load_resource_schema
from formwork.schema.folder_references import FolderReferences

if TYPE_CHECKING:
    from formwork.schema.references import DocumentLoader

ExtensionSchema: TypeAlias = ResourceSchema | HookSchema


def load_schema(
    document: Document, kind: ExtensionKind, *, references: "DocumentLoader | None" = None
) -> tuple[ExtensionSchema | None, list[Diagnostic]]:
    """The schema of that kind in `document`, None if it has errors, and all that was found; a module's is not read.

    `references` looks at the documents that it refers to: by default the files beside it.
    """
    if kind is ExtensionKind.MODULE:
        return None, []
    beside = references or FolderReferences(Path(document.name).parent)
    if kind is ExtensionKind.HOOK:
        hook = load_hook_schema(document, references=beside)
        return hook.schema, hook.diagnostics
    loaded = load_resource_schema(document, references=beside)
    return loaded.schema, loaded.diagnostics


def load_project_schema(project: Project) -> tuple[ExtensionSchema | None, list[Diagnostic]]:
    """Return the schema of the project, None if it has errors, and all that was found.

    Raises:
        BadInputError: the schema file is missing, or cannot be parsed.
    """
    document = load_schema_document(project)
    schema, diagnostics = load_schema(document, project.kind, references=schema_references(project))
    return schema, [*diagnostics, *check_type_name(project, document)]


def expect_project_schema(project: Project) -> tuple[ExtensionSchema, list[Diagnostic]]:
    """Return the schema of the project and the warnings about it.

    Raises:
        BadInputError: the schema has errors; the exception contains all findings.
    """
    schema, diagnostics = load_project_schema(project)
    if schema is None or any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
    return schema, diagnostics
