"""A type is none of JSON Schema's seven.

Finds: a `type` other than array, boolean, integer, null, number, object or string, or a list that holds another.

Why: such a schema cannot be understood by anyone.

Example: `"Name": {"type": "strin"}`

Fix: write one of the seven types.

Source: JSON Schema draft-07.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.unknown-type"
SEVERITY = Severity.ERROR

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    named = len(finding.path) > 1 and "type" in finding.path[-2:]
    if finding.slug != "not-allowed" or not named or not isinstance(value, str) or value in _TYPES:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only for a fault

    close = get_close_matches(value.lower(), _TYPES, 1)
    return finding._replace(
        slug="not-allowed",
        message=f'"{value}" is not a JSON Schema type',
        expected=", ".join(_TYPES[:-1]) + f" or {_TYPES[-1]}",
        hint=f'write "{close[0]}"' if close else None,
    )
