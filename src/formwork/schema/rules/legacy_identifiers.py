"""Identifiers are written in an older form.

Finds: `identifiers`, which older documents use instead of `primaryIdentifier` and `additionalIdentifiers`; and
`additionalIdentifiers` as a flat list of pointers, as in an example of the resource schema document.

Why: CloudFormation accepts neither today: the first identifier is `primaryIdentifier`, and each further one is a list
of its own.

Example: `"identifiers": [["/properties/Name"]]`, `"additionalIdentifiers": ["/properties/Arn"]`

Fix: write `"primaryIdentifier": ["/properties/Name"]` and `"additionalIdentifiers": [["/properties/Arn"]]`; `cfn
validate --fix` does.

Source: older resource schema document; user guide, Resource type schema.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.legacy-identifiers"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:
    lacks_primary = finding.message == '"primaryIdentifier" is missing' and "identifiers" in value
    if lacks_primary or (finding.slug == "unknown-member" and finding.path == ("identifiers",)):
        return finding._replace(
            path=("identifiers",),
            key=True,
            message='"identifiers" is an older form',
            expected='"primaryIdentifier" and, for further ones, "additionalIdentifiers"',
            hint="the first identifier becomes primaryIdentifier, each other one a list in additionalIdentifiers",
        )
    if finding.slug == "wrong-type" and finding.path[:1] == ("additionalIdentifiers",) and isinstance(value, str):
        return finding._replace(
            message=f'the identifier "{value}" is not in a list of its own',
            expected="a list of pointers for each identifier",
            hint=f'write ["{value}"]',
        )
    return None
