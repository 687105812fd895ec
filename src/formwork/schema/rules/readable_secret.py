"""A secret can be read.

Finds: a string property whose name says password, secret, key, token or connection string, that is in neither
`writeOnlyProperties` nor `readOnlyProperties`.

Why: what is not write-only is returned by read, and shows up in logs, drift results and the console.

Example: `"Password": {"type": "string"}`

Fix: add it to `writeOnlyProperties`.

Source: resource schema document, writeOnlyProperties ("passwords, secrets or other sensitive data").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.secret_names import names_a_secret

CODE = "schema.readable-secret"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    covered = checked.paths("writeOnlyProperties") | checked.paths("readOnlyProperties")
    for name, node in checked.view.root.properties.items():
        if names_a_secret(name) and (name,) not in covered and "string" in node.target.types:
            hint = f'add "/properties/{name}" to writeOnlyProperties'
            yield Problem(
                ("properties", name),
                f'"{name}" looks like a secret and can be read',
                "writeOnlyProperties",
                hint,
                key=True,
            )
