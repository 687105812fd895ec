"""`cfn validate` beyond checking a schema: fixes it, and checks models and configurations by it."""

from pathlib import Path
from typing import TYPE_CHECKING

from formwork.diagnostics import BadInputError, Diagnostic, UsageError
from formwork.documents import Document, load_document
from formwork.documents.remote import RemoteDocuments
from formwork.project.project import load_project
from formwork.project.schema_document import load_schema_document
from formwork.project.schema_file import load_schema
from formwork.schema import HookSchema, detect_kind
from formwork.schema.folder_references import FolderReferences

if TYPE_CHECKING:
    from formwork.schema.fixes import Fixed


def load_schema_at(path: Path) -> Document:
    """Return the schema document of the project in the folder `path`, or in the file `path`.

    Raises:
        BadInputError: the file is missing, or cannot be parsed.
    """
    return load_schema_document(load_project(path)) if path.is_dir() else load_document(path)


def fix_file(path: Path) -> "Fixed":
    """Apply the safe fixes to the schema at `path`, and return what was fixed; the file is replaced atomically.

    Raises:
        BadInputError: there is no schema document to fix.
        EnvironmentProblemError: the file can't be written.
    """
    from formwork.generate.plan import PlannedFile, Policy
    from formwork.generate.write import write_plan
    from formwork.schema.fixes import fix_schema

    document = load_schema_at(path)
    fixed = fix_schema(document)
    if fixed.fixed:
        file = Path(document.name)
        write_plan({file.name: PlannedFile(fixed.text, Policy.MANAGED)}, file.parent)
    return fixed


def check_values(
    path: Path, models: list[Path], configurations: list[Path], *, remote: RemoteDocuments
) -> list[Diagnostic]:
    """Return the diagnostics of models and type configurations, checked against the schema at `path`.

    Raises:
        BadInputError: the schema has errors, or a file cannot be parsed.
        UsageError: a model for a hook, which has none.
    """
    document = load_schema_at(path)
    kind = detect_kind(document)
    schema, errors = load_schema(document, kind, references=FolderReferences(Path(document.name).parent, remote=remote))
    if schema is None:
        if errors:
            raise BadInputError(errors)
        raise UsageError("a module does not have models or a type configuration")
    found: list[Diagnostic] = []
    if models:
        if isinstance(schema, HookSchema):
            raise UsageError("a hook does not have models", hint="use --configuration for its type configuration")
        found += [each for file in models for each in schema.validate_model_document(load_document(file))]
    found += [each for file in configurations for each in schema.validate_configuration(load_document(file))]
    return found
