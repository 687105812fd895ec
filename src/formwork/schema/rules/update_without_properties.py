"""The update handler has nothing to update.

Finds: an `update` handler on a type whose properties are all create-only or read-only.

Why: it is never called: every change replaces the resource.

Example: all properties in `createOnlyProperties`, and `"update": {…}`

Fix: remove the handler, or let a property be updated.

Source: user guide, createOnlyProperties.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.update-without-properties"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    fixed = checked.paths("createOnlyProperties") | checked.paths("readOnlyProperties")
    if not isinstance(handlers, dict) or "update" not in handlers:
        return
    if all((name,) in fixed for name in checked.value["properties"]):
        message = "update has nothing to update: all properties are create-only or read-only"
        yield Problem(("handlers", "update"), message, "a property that can be updated", "remove the handler", key=True)
