"""Schema documents to schema values."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.diagnostics import Diagnostic, sort_diagnostics
from formwork.documents import Document, load_document
from formwork.schema.metaschemas import Kind
from formwork.schema.semantics import check_semantics
from formwork.schema.structure import check_structure

if TYPE_CHECKING:  # defining the values takes 8 ms, which `cfn validate` need not pay
    from formwork.schema.hook import HookSchema
    from formwork.schema.resource import ResourceSchema


@dataclass(frozen=True, slots=True)
class LoadedSchema:
    """A resource type's schema, None if it has an error, and all that was found."""

    schema: "ResourceSchema | None"
    diagnostics: list[Diagnostic]


@dataclass(frozen=True, slots=True)
class LoadedHook:
    """A hook's schema, None if it has an error, and all that was found."""

    schema: "HookSchema | None"
    diagnostics: list[Diagnostic]


def load_resource_schema(source: Path | str | Document) -> LoadedSchema:
    """The resource type in a file or document, its errors found; `validate_schema` finds warnings too.

    Raises:
        BadInputError: the file is no document at all.
    """
    document = source if isinstance(source, Document) else load_document(source)
    from formwork.schema.resource import build_resource_schema  # noqa: PLC0415 - see above

    diagnostics = find_errors(document, Kind.RESOURCE)
    return LoadedSchema(None if diagnostics else build_resource_schema(document), diagnostics)


def load_hook_schema(source: Path | str | Document) -> LoadedHook:
    """The hook in a file or document, its errors found; `validate_schema` finds warnings too.

    Raises:
        BadInputError: the file is no document at all.
    """
    document = source if isinstance(source, Document) else load_document(source)
    from formwork.schema.hook import build_hook_schema  # noqa: PLC0415 - see above

    diagnostics = find_errors(document, Kind.HOOK)
    return LoadedHook(None if diagnostics else build_hook_schema(document), diagnostics)


def find_errors(document: Document, kind: Kind) -> list[Diagnostic]:
    """The errors of a schema of `kind`, by place."""
    found = check_structure(document, kind) or check_semantics(document, kind, errors_only=True)
    return sort_diagnostics(found)


def detect_kind(document: Document) -> Kind:
    """What kind of extension a schema document describes, by its `type`, its name, and what only one kind has."""
    value = document.value if isinstance(document.value, dict) else {}
    declared = value.get("type")
    if declared in ("RESOURCE", "HOOK", "MODULE"):
        return Kind(declared.lower())
    if str(value.get("typeName", "")).endswith("::MODULE"):
        return Kind.MODULE
    handlers = value.get("handlers")
    if isinstance(handlers, dict) and any(str(each).startswith("pre") for each in handlers):
        return Kind.HOOK
    if "typeConfiguration" in value and "properties" not in value and "primaryIdentifier" not in value:
        return Kind.HOOK
    return Kind.RESOURCE


def validate_schema(document: Document, *, kind: Kind | None = None) -> list[Diagnostic]:
    """Everything that is wrong with a schema document, errors and warnings, by place.

    `kind` is told from the document where it isn't given.
    """
    known = kind or detect_kind(document)
    found = check_structure(document, known) or check_semantics(document, known)
    if "formwork:" in document.text:
        from formwork.schema.suppressions import suppress  # noqa: PLC0415 - few schemas have one

        found = suppress(document, found)
    return sort_diagnostics(found)
