"""A primary identifier can be changed.

Finds: a pointer in `primaryIdentifier` that is neither in `readOnlyProperties` nor in `createOnlyProperties`.

Why: an update that changes the identifier names another resource; the handler cannot find the old one.

Example: `"primaryIdentifier": ["/properties/Name"]` and no list that holds it

Fix: add it to `createOnlyProperties`, or to `readOnlyProperties` if the service makes it.

Source: resource schema document, Resource Semantics.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.identifier-updatable"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    fixed = checked.paths("readOnlyProperties") | checked.paths("createOnlyProperties")
    for pointer in checked.pointers("primaryIdentifier"):
        if pointer.found and not any(pointer.path[:length] in fixed for length in range(1, len(pointer.path) + 1)):
            hint = "add it to createOnlyProperties, or to readOnlyProperties if the service makes it"
            yield Problem(
                pointer.at, f'the identifier "{pointer.text}" can be changed by an update', "a fixed one", hint
            )
