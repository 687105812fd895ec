"""An enum or const has no type beside it.

Finds: `enum` or `const` without `type` in the same schema.

Why: CloudFormation refuses it, and code generators cannot know what the values are.

Example: `"Mode": {"enum": ["on", "off"]}`

Fix: add `"type": "string"`, or whatever the values are.

Source: user guide, Resource type schema.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.enum-without-type"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if finding.slug != "missing-dependency" or not isinstance(value, dict):
        return None
    keyword = "enum" if "enum" in value else "const"
    return finding._replace(
        path=(*finding.path, keyword),
        key=True,
        message=f'"{keyword}" stands without "type"',
        expected='"type" beside it',
        hint='add the type of the values, such as "type": "string"',
    )
