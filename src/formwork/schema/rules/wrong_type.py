"""A value has the wrong JSON type.

Finds: a string where a list belongs, a string "true" where a boolean belongs, and the like; also a document that is
not an object.

Why: CloudFormation refuses the schema.

Example: `"required": "Name"`, `"uniqueItems": "true"`

Fix: write the value in the expected type.

Source: user guide, Resource type schema and Hooks structure.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.wrong-type"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if finding.slug != "wrong-type":
        return None
    hint = None
    if isinstance(value, str) and _is_quoted(value, finding.expected):
        hint = f"write {value} without quotes"
    elif isinstance(value, str) and "an array" in finding.expected:
        hint = f'write ["{value}"]'
    return finding._replace(hint=hint)


def _is_quoted(text: str, expected: str) -> bool:
    """Return whether the string `text` is a value of the expected type written in quotes."""
    if text in ("true", "false"):
        return "true or false" in expected
    return text.isdecimal() and expected in ("an integer", "a number")
