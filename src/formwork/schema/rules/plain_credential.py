"""A credential of the configuration may be written in plain.

Finds: a string property in `typeConfiguration`, or in what it refers to, whose name says password, secret, key, token
or connection string, and whose `pattern` does not ask for a dynamic reference.

Why: CloudFormation saves the configuration as it is written; a dynamic reference is resolved when it is needed, and
only then.

Example: `"typeConfiguration": {"properties": {"ApiKey": {"type": "string"}}}`

Fix: add a pattern that only a dynamic reference fits.

Source: user guide, Defining the account-level configuration of an extension.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.secret_names import names_a_secret
from formwork.schema.view import Subschema

CODE = "schema.plain-credential"
SEVERITY = Severity.WARNING
_REFERENCE = "{{resolve:"


def check(checked: Checked) -> Iterator[Problem]:
    pending = [checked.view.node(checked.value.get("typeConfiguration"), ("typeConfiguration",))]
    seen: set[Subschema] = set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        for name, each in node.properties.items():
            target = each.target
            place = target.path if target.path[0] == "definitions" else each.path
            if names_a_secret(name) and "string" in target.types and not _asks_for_reference(target):
                hint = 'add "pattern": "\\\\{\\\\{resolve:(ssm-secure|secretsmanager):[^}]+}}"'
                message = f'"{name}" looks like a credential, and may be written in plain'
                expected = "a pattern that asks for a dynamic reference"
                yield Problem(place, message, expected, hint, key=True)
            pending.append(target)


def _asks_for_reference(node: Subschema) -> bool:
    return _REFERENCE in str(node.get("pattern", "")).replace("\\", "")
