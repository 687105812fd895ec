"""A deprecated property is required.

Finds: a property in `deprecatedProperties` that is also in `required`, or in the `primaryIdentifier`, which read must
return.

Why: users must set what they should not use.

Example: `"deprecatedProperties": ["/properties/Old"], "required": ["Old"]`

Fix: take it out of `required`.

Source: resource schema document, deprecatedProperties.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.deprecated-required"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    required = checked.value.get("required")
    identifying = checked.paths("primaryIdentifier")
    for pointer in checked.pointers("deprecatedProperties"):
        if pointer.path in identifying:
            message = f'"{pointer.text}" is deprecated and identifies the resource'
            yield Problem(pointer.at, message, "a property that read always returns", "remove it from the list")
            continue
        if isinstance(required, list) and len(pointer.path) == 1 and pointer.path[0] in required:
            yield Problem(
                pointer.at, f'"{pointer.text}" is deprecated and required', "an optional one", "take it out of required"
            )
