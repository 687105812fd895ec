"""A list holds the same item twice.

Finds: a name twice in `required`, a type twice in `type`, a value twice in `enum`.

Why: CloudFormation refuses the schema.

Example: `"required": ["Name", "Name"]`

Fix: remove one of them.

Source: JSON Schema draft-07.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.repeated-item"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if finding.slug != "repeated-item" or not isinstance(value, list):
        return None
    index = next((n for n, each in enumerate(value) if any(_is_same(each, other) for other in value[:n])), 0)
    message = f'"{value[index]}" stands twice in the list'
    return finding._replace(path=(*finding.path, index), message=message, hint="remove one of them")


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are the same; to Python 1 and true are."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other
