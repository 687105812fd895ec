"""An identifier is not a plain value.

Finds: an identifier whose property is an object or array, or a property of an array's items.

Why: identifiers are joined into one string; an object or array cannot be, and requests then fail without a clear
reason.

Example: `"primaryIdentifier": ["/properties/Tags"]`

Fix: identify the resource by strings or numbers.

Source: AWS CloudFormation CLI, issue threads.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.paths import ANY

CODE = "schema.identifier-type"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    for keyword in ("primaryIdentifier", "additionalIdentifiers"):
        for pointer in checked.pointers(keyword):
            if pointer.found and ANY in pointer.path:
                message = f'"{pointer.text}" is a property of items, and identifies none but one of them'
                yield Problem(pointer.at, message, "a property that a resource has once", "name another property")
                continue
            node = checked.view.at(pointer.path) if pointer.found else None
            if node is not None and (set(node.types) & {"object", "array"} or "properties" in node):
                message = f'the identifier "{pointer.text}" is not a plain value'
                yield Problem(
                    pointer.at, message, "a string, number or boolean", "identify the resource by another property"
                )
