"""Checks of overrides and inputs against the schema; all findings are warnings, as only tests read these files."""

from collections.abc import Iterator

from msgspec.structs import replace

from formwork.diagnostics import Diagnostic, Severity, render_pointer
from formwork.documents import Document
from formwork.project.overrides import Override, Overrides
from formwork.schema import PropertyPath, ResourceSchema


def check_overrides(overrides: Overrides, schema: ResourceSchema) -> Iterator[Diagnostic]:
    """Overrides of properties that don't exist, that the handlers set, or that an update can't change."""
    for each in overrides.values:
        path = tuple("*" if token.isdecimal() else token for token in each.path)
        pointer = render_pointer(each.path)
        if schema.subschema_at(path) is None:
            message, hint = f'"{pointer}" is not a property of {schema.type_name}', _did_you_mean(each, schema)
            yield _warning(each, "overrides-no-property", message, hint)
        elif _is_below(path, schema.read_only):
            message, hint = f'"{pointer}" is read-only: a request that sets it is refused', "remove it"
            yield _warning(each, "overrides-read-only", message, hint)
        elif each.action == "UPDATE" and _is_below(path, schema.create_only):
            message = f'"{pointer}" is create-only: an update that changes it is refused'
            yield _warning(each, "overrides-create-only", message, "set it for CREATE only")


def check_input(schema: ResourceSchema, document: Document) -> Iterator[Diagnostic]:
    """Yield the violations of the schema by the property model in `document`."""
    for each in schema.validate_model_document(document):
        yield replace(each, severity=Severity.WARNING)


def _did_you_mean(override: Override, schema: ResourceSchema) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a fault

    first, *_ = override.path
    near = [] if first in schema.properties else get_close_matches(first, schema.properties, n=1)
    return f'did you mean "/{near[0]}"?' if near else "remove it"


def _is_below(path: PropertyPath, places: tuple[PropertyPath, ...]) -> bool:
    return any(path[: len(place)] == place for place in places)


def _warning(override: Override, slug: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(f"project.{slug}", Severity.WARNING, message, override.location, hint=hint)
