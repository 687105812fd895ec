"""An object has both properties and patternProperties.

Finds: `properties` and `patternProperties` in the same schema.

Why: a shape holds either defined members or undefined ones; CloudFormation refuses both together.

Example: `{"properties": {"Name": {…}}, "patternProperties": {"^x-": {…}}}`

Fix: move the undefined members into a property of their own.

Source: resource schema document, Constraints.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.mixed-properties"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if finding.slug != "forbidden" or not isinstance(value, dict) or "patternProperties" not in value:
        return None
    return finding._replace(
        path=(*finding.path, "patternProperties"),
        key=True,
        message='"properties" and "patternProperties" stand in the same object',
        expected="one of the two",
        hint="move the members of patternProperties into a property of their own",
    )
