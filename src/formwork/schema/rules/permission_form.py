"""A permission is malformed.

Finds: an entry of `permissions` that holds a space, lacks what belongs before or after its colon, or is an action
without its service. Those of other APIs (`repo`, `monitors_write`, `https://api.example.com/things`) are let pass.

Why: the execution role made from the permissions leaves it out, so that the handler is denied what it needs.

Example: `"permissions": ["CreateBucket"]`

Fix: write `s3:CreateBucket`.

Source: resource schema document, permissions ("you may list 3rd party APIs here as well").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.permissions import is_malformed

CODE = "schema.permission-form"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    for name, handler in handlers.items() if isinstance(handlers, dict) else ():
        for index, permission in enumerate(handler["permissions"]):
            if is_malformed(permission):
                path = ("handlers", name, "permissions", index)
                words = f'"{permission}" is not a valid permission'
                yield Problem(path, words, "service:Action", "write, for example, s3:CreateBucket")
