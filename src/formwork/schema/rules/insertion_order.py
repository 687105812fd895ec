"""An array does not say whether order matters.

Finds: arrays without `insertionOrder`.

Why: the default is that a change of order is a change of the property, so a service that returns items in another
order makes resources drift.

Example: `"Tags": {"type": "array", "items": {"$ref": "#/definitions/Tag"}}`

Fix: write `"insertionOrder": false` where the order has no meaning, else `true`.

Source: resource schema document, insertionOrder.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.insertion-order"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)
KEYWORDS = ("type",)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    if node["type"] == "array" and "insertionOrder" not in node and "properties" in path[-2:-1]:
        hint = 'add "insertionOrder": false, or true if the order has a meaning'
        yield Problem(
            path, f'the array "{path[-1]}" does not say whether order matters', "insertionOrder", hint, key=True
        )
