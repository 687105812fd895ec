"""An array lists a schema for each position.

Finds: `items` that is a list of schemas, and `additionalItems`.

Why: an ordered tuple of different things confuses users; an object with named members says what each one is.

Example: `"Range": {"type": "array", "items": [{"type": "integer"}, {"type": "integer"}]}`

Fix: give all items one schema, or make the value an object.

Source: resource schema document, Constraints.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.tuple-items"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if not finding.path:
        return None
    last = finding.path[-1]
    if finding.slug == "unknown-member" and last in ("additionalItems", "prefixItems", "unevaluatedItems"):
        message = f'"{last}" is not allowed in CloudFormation schemas'
    elif finding.slug == "wrong-type" and last == "items" and isinstance(value, list):
        message = '"items" lists a schema for each position'
    else:
        return None
    expected = "one schema for every item"
    return finding._replace(message=message, expected=expected, hint="make the value an object with named members")
