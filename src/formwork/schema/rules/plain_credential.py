"""A credential of the configuration may be written in plain.

Finds: a string property in `typeConfiguration`, or in what it refers to, whose name says password, secret, key, token
or connection string, and whose `pattern` does not ask for a dynamic reference.

Why: CloudFormation saves the configuration as it is written; a dynamic reference is resolved when it is needed, and
only then.

Example: `"typeConfiguration": {"properties": {"ApiKey": {"type": "string"}}}`

Mend: add a pattern that only a dynamic reference fits.

Source: user guide, Defining the account-level configuration of an extension.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.node_types import types_of
from formwork.schema.secret_names import names_a_secret

CODE = "schema.plain-credential"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE, ExtensionKind.HOOK)
_REFERENCE = "{{resolve:"


def check(checked: Checked) -> Iterator[Problem]:
    """See `SchemaRule`."""
    configuration = checked.value.get("typeConfiguration")
    pending: list[tuple[tuple[str | int, ...], Any]] = [(("typeConfiguration",), configuration)]
    seen: set[int] = set()
    while pending:
        path, node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        properties = node.get("properties") if isinstance(node, dict) else None
        for name, each in properties.items() if isinstance(properties, dict) else ():
            here, resolved = (*path, "properties", name), checked.resolve(each)
            if names_a_secret(name) and "string" in types_of(resolved) and not _asks_for_reference(resolved):
                hint = 'add "pattern": "\\\\{\\\\{resolve:(ssm-secure|secretsmanager):[^}]+}}"'
                message = f'"{name}" looks like a credential, and may be written in plain'
                expected = "a pattern that asks for a dynamic reference"
                yield Problem(_place(each, here), message, expected, hint, key=True)
            pending.append((_place(each, here), resolved))


def _place(node: Any, here: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where the schema of a property stands: itself, or the definition that it refers to."""
    ref = node.get("$ref") if isinstance(node, dict) else None
    prefix, _, name = ref.rpartition("/") if isinstance(ref, str) else ("", "", "")
    return ("definitions", name) if prefix == "#/definitions" and name else here


def _asks_for_reference(node: dict[str, Any]) -> bool:
    return _REFERENCE in str(node.get("pattern", "")).replace("\\", "")
