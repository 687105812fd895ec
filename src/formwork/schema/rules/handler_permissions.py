"""A handler lists no permission, though others do.

Finds: a handler with an empty `permissions` list, or nothing but empty permissions in it, where another one has some.

Why: the execution role is made from the permissions; the guide asks for at least one. A type none of whose handlers
calls AWS has none to list.

Example: `"create": {"permissions": []}, "read": {"permissions": ["sqs:GetQueueAttributes"]}`

Fix: list the actions that the handler calls.

Source: user guide, handlers ("You must specify at least one permission for each handler").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.handler-permissions"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    if not isinstance(handlers, dict) or not any(any(each["permissions"]) for each in handlers.values()):
        return
    for name, handler in handlers.items():
        if not any(handler["permissions"]):
            message = f"{name} lists no permission"
            yield Problem(("handlers", name, "permissions"), message, "at least one", "list the actions that it calls")
