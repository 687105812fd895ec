"""Diagnostics as the protocol has them."""

from collections.abc import Iterable
from typing import Any

from formwork.diagnostics import Diagnostic, Severity
from formwork.diagnostics.catalogue import describe_code
from formwork.diagnostics.visible import visible
from formwork.editor.protocol.positions import PositionIndex

_SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFO: 3}
SOURCE = "formwork"


def render_diagnostics(found: Iterable[Diagnostic], index: PositionIndex) -> list[dict[str, Any]]:
    """Return diagnostics of one file, whose text has `index`."""
    return [_render(each, index) for each in found]


def _render(diagnostic: Diagnostic, index: PositionIndex) -> dict[str, Any]:
    location = diagnostic.location
    smithy = (location.file or "").endswith(".smithy")  # Smithy's tools count units of UTF-16
    start = index.offset_of(location.start, utf16=smithy) if location.start is not None else 0
    end = index.offset_of(location.end, utf16=smithy) if location.end is not None else start
    value: dict[str, Any] = {
        "range": index.range(start, end),
        "severity": _SEVERITIES[diagnostic.severity],
        "code": diagnostic.code,
        "source": SOURCE,
        "message": message_of(diagnostic),
    }
    entry = describe_code(diagnostic.code)
    if entry is not None:
        value["codeDescription"] = {"href": entry.address}
    if location.pointer is not None:
        value["data"] = {"pointer": location.pointer}
    return value


def message_of(diagnostic: Diagnostic) -> str:
    """Return the message with its notes, what was expected and how to fix it, as the command line shows them."""
    lines = [diagnostic.message, *diagnostic.notes]
    if diagnostic.expected is not None:
        lines.append(f"expected: {diagnostic.expected}")
    if diagnostic.hint is not None:
        lines.append(f"help: {diagnostic.hint}")
    return "\n".join(visible(line) for line in lines)
