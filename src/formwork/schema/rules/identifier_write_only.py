"""An identifier is never returned.

Finds: a pointer that is in an identifier and in `writeOnlyProperties`.

Why: identifiers must be returned from read and list, write-only properties must not.

Example: `"primaryIdentifier": ["/properties/Key"], "writeOnlyProperties": ["/properties/Key"]`

Fix: take it out of one of them.

Source: resource schema document, primaryIdentifier ("MUST be returned from READ and LIST operations").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.identifier-write-only"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    hidden = checked.paths("writeOnlyProperties")
    for keyword in ("primaryIdentifier", "additionalIdentifiers"):
        for pointer in checked.pointers(keyword):
            if pointer.path in hidden:
                message = f'the identifier "{pointer.text}" is writeOnly, so it is never returned'
                yield Problem(
                    pointer.at, message, "an identifier that read and list return", "take it out of one of the lists"
                )
