"""A property or definition has a name that is not allowed.

Finds: names with other characters than letters and digits, empty names, names over 64 characters; in a type
configuration also names that begin with `CloudFormation`, which is reserved.

Why: CloudFormation refuses them.

Example: `"bucket-name": {"type": "string"}`

Fix: use letters and digits only, such as `BucketName`.

Source: user guide, Resource type schema and Defining the account-level configuration.
"""

from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.findings import SchemaViolation

CODE = "schema.property-name"
SEVERITY = Severity.ERROR


def explain(finding: SchemaViolation, value: Any) -> SchemaViolation | None:  # noqa: ARG001 - one signature for all
    if finding.slug != "bad-name":
        return None
    name = str(finding.path[-1])
    if name.startswith("CloudFormation"):
        message, expected = f'the name "{name}" is reserved', "a name that does not begin with CloudFormation"
    else:
        message, expected = f'"{name}" is not a valid name', "1 to 64 letters and digits"
    suggestion = "".join(
        part[:1].upper() + part[1:] for part in "".join(c if c.isalnum() else " " for c in name).split()
    )
    usable = suggestion.isascii() and 0 < len(suggestion) <= 64 and suggestion != name
    return finding._replace(
        message=message, expected=expected, hint=f'write "{suggestion}", for example' if usable else None
    )
