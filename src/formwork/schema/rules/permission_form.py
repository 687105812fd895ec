"""A permission is no action.

Finds: an entry of `permissions` that is not `service:Action`.

Why: the execution role made from it is refused by IAM.

Example: `"permissions": ["CreateBucket"]`

Mend: write `s3:CreateBucket`.

Source: resource schema document, permissions.
"""

import re
from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.metaschemas import Kind

CODE = "schema.permission-form"
SEVERITY = Severity.WARNING
KINDS = (Kind.RESOURCE, Kind.HOOK)
_ACTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*:[A-Za-z0-9*?_/.-]+|\*")


def check(checked: Checked) -> Iterator[Problem]:
    """See `SchemaRule`."""
    handlers = checked.value.get("handlers")
    for name, handler in handlers.items() if isinstance(handlers, dict) else ():
        for index, permission in enumerate(handler["permissions"]):
            if permission and not _ACTION.fullmatch(permission):
                path = ("handlers", name, "permissions", index)
                yield Problem(
                    path, f'"{permission}" is no permission', "service:Action", "write, for example, s3:CreateBucket"
                )
