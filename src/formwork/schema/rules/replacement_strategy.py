"""A type that is never replaced has a replacementStrategy.

Finds: `replacementStrategy` on a type with an `update` handler and no create-only property.

Why: the strategy says in which order a resource is replaced; this one never is.

Example: `"replacementStrategy": "delete_then_create"` without `createOnlyProperties`

Fix: remove it.

Source: resource schema document, Constraints ("not valid for a mutable resource that does not need replacement during
an update").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.replacement-strategy"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    handlers = checked.value.get("handlers")
    replaced = "createOnlyProperties" in checked.value or "conditionalCreateOnlyProperties" in checked.value
    if "replacementStrategy" in checked.value and isinstance(handlers, dict) and "update" in handlers and not replaced:
        message = "the type is never replaced, so replacementStrategy has no meaning"
        yield Problem(("replacementStrategy",), message, "a type with create-only properties", "remove it", key=True)
