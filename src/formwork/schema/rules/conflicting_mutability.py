"""A property is conditionally create-only and something that excludes it.

Finds: a pointer in `conditionalCreateOnlyProperties` that is also in `createOnlyProperties` or `readOnlyProperties`.

Why: a property that sometimes may be updated cannot be one that never may, or that users cannot set; CloudFormation
refuses the schema.

Example: `"createOnlyProperties": ["/properties/Size"], "conditionalCreateOnlyProperties": ["/properties/Size"]`

Fix: keep it in one of the lists.

Source: user guide, Resource type schema.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.conflicting-mutability"
SEVERITY = Severity.ERROR
KINDS = (ExtensionKind.RESOURCE,)
_OTHERS = ("createOnlyProperties", "readOnlyProperties")


def check(checked: Checked) -> Iterator[Problem]:
    for other in _OTHERS:
        taken = checked.paths(other)
        for pointer in checked.pointers("conditionalCreateOnlyProperties"):
            if pointer.path in taken:
                message = f'"{pointer.text}" is in conditionalCreateOnlyProperties and in {other}'
                yield Problem(pointer.at, message, "one of the two lists", "remove it from one of them")
