"""A property schema has an $id or $schema.

Finds: `$id` and `$schema` anywhere but at the top of the document.

Why: a property is not a document of its own; an `$id` there would also change where `$ref`s start.

Example: `"Name": {"$id": "#name", "type": "string"}`

Fix: remove the keyword.

Source: resource schema document, Constraints.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.nested-id"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    if finding.slug != "unknown-member" or finding.path[-1] not in ("$id", "$schema"):
        return None
    return finding._replace(
        message=f'"{finding.path[-1]}" is only allowed at the top of the document',
        expected="a property without it",
        hint="remove it",
    )
