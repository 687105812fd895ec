"""A text does not have its form.

Finds: a `sourceUrl` or `documentationUrl` that is not an https URL, a `templateUri` that begins with neither `/` nor
`https:`, a `relationshipRef` with a malformed member.

Why: CloudFormation refuses the schema.

Example: `"sourceUrl": "http://example.com"`

Fix: write it in the expected form.

Source: user guide, Resource type schema and Hooks structure.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.malformed-value"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    if finding.slug != "malformed":
        return None
    if finding.path[-1:] in (("sourceUrl",), ("documentationUrl",)):
        return finding._replace(expected="an absolute https URL", hint="begin with https:// and a host name")
    if finding.path[-1:] == ("templateUri",):
        return finding._replace(expected="a text that begins with / or https:")
    return finding
