"""Schema documents to schema values."""

from dataclasses import dataclass
from pathlib import Path

from formwork.diagnostics import Diagnostic, Severity
from formwork.documents import Document, load_document
from formwork.schema.hook import HookSchema, build_hook_schema
from formwork.schema.resource import ResourceSchema, build_resource_schema


@dataclass(frozen=True, slots=True)
class LoadedSchema:
    """A resource type's schema, None if it has an error, and all that was found."""

    schema: ResourceSchema | None
    diagnostics: list[Diagnostic]


@dataclass(frozen=True, slots=True)
class LoadedHook:
    """A hook's schema, None if it has an error, and all that was found."""

    schema: HookSchema | None
    diagnostics: list[Diagnostic]


def load_resource_schema(source: Path | str | Document) -> LoadedSchema:
    """The resource type in a file or document.

    Raises:
        BadInputError: the file is no document at all.
    """
    document = source if isinstance(source, Document) else load_document(source)
    diagnostics = check_structure(document, "resource")
    return LoadedSchema(None if _has_error(diagnostics) else build_resource_schema(document), diagnostics)


def load_hook_schema(source: Path | str | Document) -> LoadedHook:
    """The hook in a file or document.

    Raises:
        BadInputError: the file is no document at all.
    """
    document = source if isinstance(source, Document) else load_document(source)
    diagnostics = check_structure(document, "hook")
    return LoadedHook(None if _has_error(diagnostics) else build_hook_schema(document), diagnostics)


def check_structure(document: Document, kind: str) -> list[Diagnostic]:
    """What makes the document unusable as a schema of `kind`."""
    if isinstance(document.value, dict):
        return []
    return [
        Diagnostic(
            "schema.wrong-type", Severity.ERROR, f"the {kind} schema is no object", document.locate(), "one JSON object"
        )
    ]


def _has_error(diagnostics: list[Diagnostic]) -> bool:
    return any(each.severity is Severity.ERROR for each in diagnostics)
