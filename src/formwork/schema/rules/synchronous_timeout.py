"""A timeout stands on a handler that answers at once.

Finds: `timeoutInMinutes` on `read` or `list`.

Why: both must answer within 30 seconds; the value has no effect.

Example: `"read": {"permissions": […], "timeoutInMinutes": 60}`

Fix: remove it.

Source: resource schema document, timeoutInMinutes.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.synchronous-timeout"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    for name in ("read", "list"):
        handler = handlers.get(name) if isinstance(handlers, dict) else None
        if isinstance(handler, dict) and "timeoutInMinutes" in handler:
            path = ("handlers", name, "timeoutInMinutes")
            yield Problem(path, f"{name} answers within 30 seconds, whatever this says", None, "remove it", key=True)
