"""A permission has a wildcard.

Finds: `*` in a handler's permissions.

Why: the execution role made from it may do more than the handler needs.

Example: `"permissions": ["s3:*"]`

Fix: name the actions that the handler calls.

Source: resource schema document, permissions.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.wildcard-permission"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    for name, handler in handlers.items() if isinstance(handlers, dict) else ():
        for index, permission in enumerate(handler["permissions"]):
            if "*" in permission:
                path = ("handlers", name, "permissions", index)
                yield Problem(path, f'"{permission}" allows more than one action', "single actions", "name them")
