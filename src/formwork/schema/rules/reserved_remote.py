"""The schema has a remote section.

Finds: the member `remote` at the top of the schema.

Why: CloudFormation puts the documents that a schema refers to there by itself; a source schema must not have it.

Example: `"remote": {"schema0": {…}}`

Fix: remove it and refer to the other document with `$ref`.

Source: user guide, Resource type schema.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.reserved-remote"
SEVERITY = Severity.ERROR


def check(checked: Checked) -> Iterator[Problem]:
    if "remote" in checked.value:
        hint = "remove it, and refer to the other document with $ref"
        yield Problem(("remote",), '"remote" is reserved for CloudFormation', "a schema without it", hint, key=True)
