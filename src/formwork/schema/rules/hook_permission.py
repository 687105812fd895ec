"""A hook asks for permissions that it cannot have.

Finds: `cloudformation:*` or `cloudformation:RegisterType` among the permissions of a handler, and target names with
`*?`.

Why: CloudFormation refuses to register such a hook.

Example: `"permissions": ["cloudformation:*"]`

Fix: name the actions that the handler calls; write `*` for any number of characters.

Source: AWS CloudFormation CLI.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.hook-permission"
SEVERITY = Severity.ERROR
KINDS = (ExtensionKind.HOOK,)


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    for name, handler in handlers.items() if isinstance(handlers, dict) else ():
        for index, permission in enumerate(handler["permissions"]):
            if "cloudformation:*" in permission or permission == "cloudformation:RegisterType":
                path = ("handlers", name, "permissions", index)
                yield Problem(path, f'a hook cannot have "{permission}"', "single CloudFormation actions", "name them")
        for index, target in enumerate(handler["targetNames"]):
            if "*?" in target:
                path = ("handlers", name, "targetNames", index)
                yield Problem(path, f'"{target}" holds "*?"', "a type name, or one with * or ?", 'write "*"')
