"""Schema documents to schema values."""

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import Diagnostic, sort_diagnostics
from formwork.documents import Document, DocumentSource, open_source
from formwork.extensions import ExtensionKind
from formwork.schema.semantics import check_semantics
from formwork.schema.structure import check_structure

if TYPE_CHECKING:  # defining the values takes 8 ms, which `cfn validate` need not pay
    from formwork.schema.hook import HookSchema
    from formwork.schema.module import ModuleSchema
    from formwork.schema.references import DocumentLoader
    from formwork.schema.resource import ResourceSchema


_NAME = "<schema>"  # of one that is in no file


class LoadedSchema(Struct, frozen=True):
    """A resource type's schema, None if it has an error, and all that was found."""

    schema: "ResourceSchema | None"
    diagnostics: list[Diagnostic]


class LoadedHook(Struct, frozen=True):
    """A hook's schema, None if it has an error, and all that was found."""

    schema: "HookSchema | None"
    diagnostics: list[Diagnostic]


class LoadedModuleSchema(Struct, frozen=True):
    """A module's schema, None if it has an error, and all that was found."""

    schema: "ModuleSchema | None"
    diagnostics: list[Diagnostic]


def load_resource_schema(source: DocumentSource, *, references: "DocumentLoader | None" = None) -> LoadedSchema:
    """Return the resource type that a schema describes, its errors found; `validate_schema` finds warnings too.

    A `str` is the text of the schema, a path the file that contains it.

    With `references` what it refers to in other documents stands under `remote` in the schema's value; without, such a
    reference allows any value.

    Raises:
        BadInputError: the file is not a document at all.
    """
    document = open_source(source, name=_NAME)
    from formwork.schema.resource import build_resource_schema  # noqa: PLC0415 - see above

    diagnostics = find_errors(document, ExtensionKind.RESOURCE, references=references)
    if diagnostics:
        return LoadedSchema(None, diagnostics)
    return LoadedSchema(build_resource_schema(_inlined(document, references)), diagnostics)


def load_hook_schema(source: DocumentSource, *, references: "DocumentLoader | None" = None) -> LoadedHook:
    """Return the hook that a schema describes, its errors found; `references` as in `load_resource_schema`.

    Raises:
        BadInputError: the file is not a document at all.
    """
    document = open_source(source, name=_NAME)
    from formwork.schema.hook import build_hook_schema  # noqa: PLC0415 - see above

    diagnostics = find_errors(document, ExtensionKind.HOOK, references=references)
    return LoadedHook(None if diagnostics else build_hook_schema(_inlined(document, references)), diagnostics)


def load_module_schema(source: DocumentSource) -> LoadedModuleSchema:
    """Return the module that a schema describes, its errors found.

    Raises:
        BadInputError: the file is not a document at all.
    """
    document = open_source(source, name=_NAME)
    from formwork.schema.module import build_module_schema  # noqa: PLC0415 - see above

    diagnostics = find_errors(document, ExtensionKind.MODULE)
    return LoadedModuleSchema(None if diagnostics else build_module_schema(document), diagnostics)


def _inlined(document: Document, references: "DocumentLoader | None") -> Document:
    if references is None:
        return document
    from formwork.schema.references import inline_references, list_external  # noqa: PLC0415 - few schemas have any

    if not list_external(document.value):
        return document
    return replace(document, value=inline_references(document.value, references))


def find_errors(
    document: Document, kind: ExtensionKind, *, references: "DocumentLoader | None" = None
) -> list[Diagnostic]:
    """Return the errors of a schema of `kind`, by place."""
    return sort_diagnostics(_find(document, kind, errors_only=True, references=references))


def _find(
    document: Document, kind: ExtensionKind, *, errors_only: bool, references: "DocumentLoader | None"
) -> list[Diagnostic]:
    found = check_structure(document, kind)
    if not found:
        return check_semantics(document, kind, errors_only=errors_only, references=references)
    from formwork.schema.sound_part import find_sound_part  # noqa: PLC0415 - most schemas are sound

    sound = find_sound_part(document.value, kind)
    if sound is not None:
        found += check_semantics(document, kind, errors_only=errors_only, references=references, sound=sound)
    return found


def detect_kind(source: DocumentSource) -> ExtensionKind:
    """Return the kind of extension that a schema describes, by its `type`, its name or members of only one kind."""
    document = open_source(source, name=_NAME)
    value = document.value if isinstance(document.value, dict) else {}
    declared = value.get("type")
    if declared in ("RESOURCE", "HOOK", "MODULE"):
        return ExtensionKind(declared)
    if str(value.get("typeName", "")).endswith("::MODULE"):
        return ExtensionKind.MODULE
    handlers = value.get("handlers")
    if isinstance(handlers, dict) and any(str(each).startswith("pre") for each in handlers):
        return ExtensionKind.HOOK
    if "typeConfiguration" in value and "properties" not in value and "primaryIdentifier" not in value:
        return ExtensionKind.HOOK
    return ExtensionKind.RESOURCE


def validate_schema(
    source: DocumentSource, *, kind: ExtensionKind | None = None, references: "DocumentLoader | None" = None
) -> list[Diagnostic]:
    """Return everything that is wrong with a schema, errors and warnings, by place.

    A `str` is the text of the schema, a path the file that contains it. `kind` is detected by default; `references`
    looks at the other documents it refers to.

    Raises:
        BadInputError: the source is not a document at all.
    """
    document = open_source(source, name=_NAME)
    known = kind or detect_kind(document)
    found = _find(document, known, errors_only=False, references=references)
    if "formwork:" in document.text:
        from formwork.schema.suppressions import suppress  # noqa: PLC0415 - few schemas have one

        found = suppress(document, found)
    return sort_diagnostics(found)
