"""What `cfn validate` does with a schema besides checking it: mend it, hold models and configurations against it."""

from pathlib import Path

from formwork.diagnostics import BadInputError, Diagnostic, Severity, UsageError
from formwork.documents import Document, load_document
from formwork.project.project import load_project
from formwork.project.schema_document import load_schema_document
from formwork.schema import Kind, detect_kind, validate_schema


def load_schema_at(path: Path) -> Document:
    """The schema document of the project in the folder `path`, or in the file `path`.

    Raises:
        BadInputError: there is none, or it is no document.
    """
    return load_schema_document(load_project(path)) if path.is_dir() else load_document(path)


def fix_file(path: Path) -> tuple[Diagnostic, ...]:
    """Make the certain mends in the schema at `path`, and return what they are for; the file is replaced at once.

    Raises:
        BadInputError: there is no schema document to mend.
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
    return fixed.fixed


def check_values(path: Path, models: list[Path], configurations: list[Path]) -> list[Diagnostic]:
    """What is wrong with models and type configurations as values of the type whose schema is at `path`.

    Raises:
        BadInputError: the schema has errors, or a file is no document.
        UsageError: a model for a hook, which has none.
    """
    document = load_schema_at(path)
    kind = detect_kind(document)
    errors = [each for each in validate_schema(document, kind=kind) if each.severity is Severity.ERROR]
    if errors:
        raise BadInputError(errors)
    if kind is Kind.HOOK:
        return _check_hook(document, models, configurations)
    from formwork.schema.resource import build_resource_schema

    schema = build_resource_schema(document)
    found = [each for file in models for each in schema.validate_model_document(load_document(file))]
    found += [each for file in configurations for each in schema.validate_configuration(load_document(file))]
    return found


def _check_hook(document: Document, models: list[Path], configurations: list[Path]) -> list[Diagnostic]:
    from formwork.schema.hook import build_hook_schema

    if models:
        raise UsageError("a hook has no model", hint="use --configuration for its type configuration")
    schema = build_hook_schema(document)
    return [each for file in configurations for each in schema.validate_configuration(load_document(file))]
