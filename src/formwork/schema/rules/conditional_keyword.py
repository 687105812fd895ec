"""A property schema uses if, then, else or not.

Finds: the keywords `if`, `then`, `else` and `not` in a property, a definition or a combiner.

Why: these constructs confuse authors and users alike, few tools honour them, and CloudFormation refuses the schema.

Example: `"Size": {"type": "integer", "not": {"const": 0}}`

Fix: say what is allowed instead: `enum`, `minimum`, `pattern`, `dependencies`, or `oneOf` with the allowed shapes.

Source: resource schema document, Constraints.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.conditional-keyword"
SEVERITY = Severity.ERROR

_KEYWORDS = frozenset({"if", "then", "else", "not"})


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    if finding.slug != "unknown-member" or finding.path[-1] not in _KEYWORDS or len(finding.path) == 1:
        return None
    return finding._replace(
        message=f'"{finding.path[-1]}" is not allowed in CloudFormation schemas',
        expected="a schema without if, then, else and not",
        hint="say what is allowed: enum, bounds, pattern, dependencies, or oneOf with the allowed shapes",
    )
