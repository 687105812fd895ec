"""A pointer skips the items of an array.

Finds: an entry of a semantic list that goes through an array without `*`, by a number, or through `items`.

Why: CloudFormation writes the items of an array as `*`; tools that follow the pointer literally do not find the
property.

Example: `"writeOnlyProperties": ["/properties/Logins/Password"]`

Fix: write `/properties/Logins/*/Password`; `cfn validate --fix` does.

Source: AWS provider schemas; AWS CloudFormation CLI.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity, render_pointer
from formwork.extensions import ExtensionKind
from formwork.schema.checking import POINTER_LISTS, Checked, Problem

CODE = "schema.pointer-through-array"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    for keyword in POINTER_LISTS:
        for pointer in checked.pointers(keyword):
            if not pointer.found or "*" not in pointer.path:
                continue
            written = pointer.text.split("/")[2:]
            if written.count("*") < pointer.path.count("*"):
                better = render_pointer(("properties", *pointer.path))
                yield Problem(
                    pointer.at, f'"{pointer.text}" does not say "*" for the items', better, f'write "{better}"'
                )
