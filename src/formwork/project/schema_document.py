"""The document that contains a project's schema."""

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import Document, load_document
from formwork.project.project import Project
from formwork.schema.folder_references import FolderReferences


def load_schema_document(project: Project) -> Document:
    """Return the document of the project's schema.

    Raises:
        BadInputError: the schema file is missing, or cannot be parsed.
    """
    path = project.schema_path
    if not path.is_file():
        raise BadInputError.of(
            "project.schema-missing",
            f'the schema of "{project.type_name}" is missing',
            location=Location(str(path)),
            expected=f"{path.name}, or the same as .yaml",
            hint='create the file, or fix "typeName" in .rpdk-config',
        )
    return load_document(path)


def schema_references(project: Project) -> FolderReferences:
    """Return the resolver of the documents that the project's schema refers to."""
    return FolderReferences(project.root, remote=project.remote)


def check_type_name(project: Project, document: Document) -> list[Diagnostic]:
    """Report a schema of another type than the project's; a missing name is left to the check of the schema."""
    named = document.value.get("typeName") if isinstance(document.value, dict) else None
    if not isinstance(named, str) or named == project.type_name:
        return []
    message = f'the schema describes "{named}", but the project develops "{project.type_name}"'
    expected = f'"typeName": "{project.type_name}"'
    location = document.locate(("typeName",))
    return [Diagnostic("project.other-type", Severity.ERROR, message, location, expected)]
