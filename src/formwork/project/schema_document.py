"""The document that a project's schema stands in."""

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import Document, load_document
from formwork.project.project import Project
from formwork.schema.folder_references import FolderReferences


def load_schema_document(project: Project) -> Document:
    """The text of the project's schema.

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
    return load_document(path)


def schema_references(project: Project) -> FolderReferences:
    """Where the documents are that the project's schema refers to."""
    return FolderReferences(project.root, remote=project.remote)


def check_type_name(project: Project, document: Document) -> list[Diagnostic]:
    """Whether the schema is that of the project's type; one without a name is told by the schema's own check."""
    named = document.value.get("typeName") if isinstance(document.value, dict) else None
    if not isinstance(named, str) or named == project.type_name:
        return []
    message = f'the schema is of "{named}", and the project develops "{project.type_name}"'
    expected = f'"typeName": "{project.type_name}"'
    location = document.locate(("typeName",))
    return [Diagnostic("project.other-type", Severity.ERROR, message, location, expected)]
