"""A type name is malformed.

Finds: a `typeName` that is not three parts of 2 to 64 letters and digits joined by `::` (a module's has `::MODULE`
behind).

Why: users name the type by it, and CloudFormation refuses any other form.

Example: `"typeName": "Acme::Thing"`

Fix: write `Organization::Service::Resource`, without hyphens and underscores.

Source: resource schema document, Resource Type Name; user guide, Hooks structure.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.type-name"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    if finding.slug != "malformed" or finding.path[-1:] != ("typeName",):
        return None
    return finding._replace(
        message=f'"{value}" is not a type name',
        expected="three parts of 2 to 64 letters and digits, joined by ::",
        hint="write Organization::Service::Resource" + ("::MODULE" if "MODULE" in str(value) else ""),
    )
