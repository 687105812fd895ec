"""A handler names a permission twice.

Finds: a permission that an earlier one of the same handler equals.

Why: often one of the two was meant to be another.

Example: `"permissions": ["s3:GetObject", "s3:GetObject"]`

Fix: remove one, or correct it.

Source: reviews of providers.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.repeated-permission"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    for name, handler in handlers.items() if isinstance(handlers, dict) else ():
        seen = set()
        for index, permission in enumerate(handler["permissions"]):
            if permission in seen:
                at = ("handlers", name, "permissions", index)
                yield Problem(at, f'"{permission}" stands twice', "every permission once", "remove one")
            seen.add(permission)
