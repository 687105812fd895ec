"""A value is not one of those allowed.

Finds: a `replacementStrategy`, `arrayType` or `type` with another value, a `remote` member with another name than
`schema0`, and whatever else the meta-schema refuses.

Why: CloudFormation refuses the schema.

Example: `"replacementStrategy": "delete_first"`

Fix: write one of the allowed values.

Source: user guide, Resource type schema.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.value-not-allowed"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    """Word what no other rule has worded."""
    return finding
