"""A property schema uses readOnly or writeOnly.

Finds: JSON Schema's own `readOnly`, `writeOnly` and `deprecated` keywords, and the list names, inside a property.

Why: whether a property can be set depends on the resource, not on the property's shape, so CloudFormation keeps lists
at the top of the schema and refuses the keywords.

Example: `"Arn": {"type": "string", "readOnly": true}`

Fix: remove the keyword and list the property: `"readOnlyProperties": ["/properties/Arn"]`. A type configuration has no
such lists: there `"format": "password"` has a value masked in messages and logs.

Source: resource schema document, Divergence from JSON Schema.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.mutability-keyword"
SEVERITY = Severity.ERROR

_LISTS = {
    "readOnly": "readOnlyProperties",
    "writeOnly": "writeOnlyProperties",
    "createOnly": "createOnlyProperties",
    "deprecated": "deprecatedProperties",
    "readOnlyProperties": "readOnlyProperties",
    "writeOnlyProperties": "writeOnlyProperties",
    "createOnlyProperties": "createOnlyProperties",
}
# What `writeOnly` is written for there.
_MASKING = 'to have a value masked in messages and logs, write "format": "password" on its property'


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    keyword = finding.path[-1] if finding.path else ""
    if finding.slug != "unknown-member" or keyword not in _LISTS or len(finding.path) == 1:
        return None
    if finding.path[0] == "typeConfiguration":
        secret = _LISTS[str(keyword)] == "writeOnlyProperties"
        return finding._replace(
            message=f'"{keyword}" is not allowed in a type configuration',
            expected="none: every property of a configuration can be set, and none is returned",
            hint=f'{_MASKING} and remove "{keyword}"' if secret else f'remove "{keyword}"',
        )
    found = _LISTS[str(keyword)]
    hint = f'add the property\'s pointer to "{found}" and remove the keyword'
    if finding.path[0] == "definitions":
        hint = f'add the pointers of the properties that refer to it to "{found}" and remove the keyword'
        hint += (
            '; in a type configuration, write "format": "password" instead' if found == "writeOnlyProperties" else ""
        )
    return finding._replace(
        message=f'"{keyword}" is not allowed in a property',
        expected="mutability in the lists at the top of the schema",
        hint=hint,
    )
