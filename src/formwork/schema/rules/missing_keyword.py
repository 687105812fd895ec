"""A required member is missing.

Finds: a schema without `typeName`, `description`, `properties` or `primaryIdentifier`, a handler without
`permissions`, a hook without `typeConfiguration`, and the like.

Why: CloudFormation refuses the schema.

Example: `{"typeName": "Acme::Store::Thing", "properties": {…}, "additionalProperties": false}`

Fix: add the member.

Source: user guide, Resource type schema and Hooks structure.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.missing-keyword"
SEVERITY = Severity.ERROR

_HINTS = {
    "description": 'add "description": "what the type is", shown in the console',
    "primaryIdentifier": 'add "primaryIdentifier": ["/properties/…"] with the properties that identify a resource',
    "permissions": 'add "permissions": [] with the permissions that the handler needs',
}


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    if finding.slug not in ("missing-member", "missing-dependency"):
        return None
    name = finding.message.split('"')[1]
    return finding._replace(hint=_HINTS.get(name, f'add "{name}"'))
