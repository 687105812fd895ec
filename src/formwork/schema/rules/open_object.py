"""An object allows undeclared members.

Finds: `additionalProperties` that is anything but `false`, and a schema without it at its top.

Why: every property of a resource is declared: arbitrary input is not allowed.

Example: `"Labels": {"type": "object", "additionalProperties": {"type": "string"}}`

Fix: write `"additionalProperties": false`; for a map, `patternProperties` with the shape of the values besides.

Source: resource schema document, Constraints; user guide, Resource type schema.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.open-object"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if finding.slug == "missing-member" and finding.message == '"additionalProperties" is missing':
        return finding._replace(expected='"additionalProperties": false', hint='add "additionalProperties": false')
    if not finding.path or finding.path[-1] != "additionalProperties":
        return None
    if finding.slug not in ("not-allowed", "wrong-type") or isinstance(value, str):  # "false" is meant to be false
        return None
    hint = "write false"
    if isinstance(value, dict):
        hint = "for a map write patternProperties with this schema, and additionalProperties false"
    return finding._replace(
        slug="not-allowed", message="the object allows undeclared members", expected="false", hint=hint
    )
