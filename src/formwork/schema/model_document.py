"""A model in a file, checked against its resource type."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import Diagnostic, Severity, get_at, sort_diagnostics
from formwork.documents import Document
from formwork.schema.models import check_model
from formwork.schema.paths import ANY, PropertyPath


def check_model_document(
    validator: Any, document: Document, *, read_only: Sequence[PropertyPath], write_only: Sequence[PropertyPath]
) -> list[Diagnostic]:
    """Return the diagnostics of the model in `document`, sorted by place."""
    found = check_model(validator, document.value, secret=write_only, document=document)
    secret = _secret_lines(write_only, document)
    return sort_diagnostics(_guarded(each, secret) for each in [*found, *_read_only(read_only, document)])


def _secret_lines(write_only: Sequence[PropertyPath], document: Document) -> set[int]:
    """Return the lines of writeOnly properties and of the values that contain them."""
    lines: set[int] = set()
    for name in {path[0] for path in write_only}:
        if isinstance(document.value, dict) and name in document.value:
            place = document.locate((name,))
            assert place.start
            assert place.end
            lines.update(range(place.start.line, place.end.line + 1))
    return lines


def _guarded(diagnostic: Diagnostic, secret: set[int]) -> Diagnostic:
    start = diagnostic.location.start
    if start is None or start.line not in secret:
        return diagnostic
    return replace(diagnostic, location=replace(diagnostic.location, confidential=True))


def _read_only(read_only: Sequence[PropertyPath], document: Document) -> list[Diagnostic]:
    found = []
    for path in read_only:
        if ANY not in path and get_at(document.value, path) is not None:
            name = "/".join(path)
            found.append(
                Diagnostic(
                    "model.read-only-property",
                    Severity.WARNING,
                    f'"{name}" is readOnly: users cannot set it',
                    document.locate(path, key=True),
                    "properties that users set",
                    "remove it from the input of create and update",
                )
            )
    return found
