"""Reading the JSON files an author writes beside the schema: `#` comments allowed, `{{ExportName}}` filled in."""

from collections.abc import Mapping
from pathlib import Path

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.documents import Document, DocumentFormat, parse_document, read_text
from formwork.project.comments import blank_comments
from formwork.project.exports import substitute_exports


def read_data_file(path: Path, *, exports: Mapping[str, str]) -> tuple[Document | None, list[Diagnostic]]:
    """Return the document in `path` (None if it cannot be read) and diagnostics, such as unknown exports."""
    try:
        text = read_text(path)
    except BadInputError as error:
        return None, list(error.diagnostics)
    return parse_data(text, name=str(path), exports=exports)


def parse_data(text: str, *, name: str, exports: Mapping[str, str]) -> tuple[Document | None, list[Diagnostic]]:
    """Return the document in `text` (None if it cannot be parsed) and diagnostics, which call it `name`."""
    try:
        filled = substitute_exports(blank_comments(text), exports)
        document = parse_document(filled.text, name=name, format=DocumentFormat.JSON)
    except BadInputError as error:
        return None, list(error.diagnostics)
    return document, [_missing_export(name, export) for export in filled.missing]


def _missing_export(file: str, export: str) -> Diagnostic:
    return Diagnostic(
        "project.export-unknown",
        Severity.ERROR,
        f'the value of the export "{export}" is unknown: "{{{{{export}}}}}" is not replaced',
        Location(file),
        hint="write the value itself, or give `cfn test` the exports: --exports FILE (a JSON object) or "
        "--cloudformation-endpoint-url URL",
    )
