"""A readOnly property has a default.

Finds: a property in `readOnlyProperties` whose schema has a `default`.

Why: only the service can set it, not a default either.

Example: `"Arn": {"type": "string", "default": "arn:…"}` in `readOnlyProperties`

Fix: remove the default, or take the property out of the list.

Source: resource schema document, readOnlyProperties.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.read-only-default"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    for pointer in checked.pointers("readOnlyProperties"):
        node = checked.view.at(pointer.path) if pointer.found else None
        if node is not None and "default" in node:
            message = f'"{pointer.text}" is readOnly and has a default'
            yield Problem(pointer.at, message, "a value that the service sets", "remove the default")
