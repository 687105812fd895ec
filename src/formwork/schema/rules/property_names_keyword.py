"""An object uses propertyNames.

Finds: the keyword `propertyNames`.

Why: it means members without a defined shape, which CloudFormation does not allow.

Example: `"Labels": {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}}`

Fix: write `patternProperties` with the pattern and the shape of the values.

Source: resource schema document, Constraints.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.property-names-keyword"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    if finding.slug != "unknown-member" or finding.path[-1] != "propertyNames":
        return None
    return finding._replace(
        message='"propertyNames" is not allowed in CloudFormation schemas',
        expected="patternProperties with a shape for the values",
        hint='write "patternProperties": {"<pattern>": {"type": …}}',
    )
