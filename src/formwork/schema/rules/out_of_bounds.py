"""A value is outside its bounds.

Finds: an empty list or object that must hold something, a timeout outside 2 to 2160 minutes, a negative length, a URL
over 4096 characters.

Why: CloudFormation refuses the schema.

Example: `"timeoutInMinutes": 1`, `"readOnlyProperties": []`

Fix: write a value within the bounds, or remove an empty list.

Source: user guide, Resource type schema.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.out-of-bounds"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if finding.slug != "out-of-bounds":
        return None
    if value in ([], {}):
        kind = "list" if isinstance(value, list) else "object"
        return finding._replace(message=f"the {kind} is empty", hint="add an entry, or remove the member")
    return finding
