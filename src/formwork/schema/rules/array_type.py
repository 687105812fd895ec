"""An arrayType stands on something that is not an array.

Finds: `arrayType` in a schema whose `type` is not `array`.

Why: the keyword says how to compare arrays; CloudFormation refuses it elsewhere.

Example: `"Name": {"type": "string", "arrayType": "Standard"}`

Fix: remove the keyword, or make the property an array.

Source: resource schema document, arrayType.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, show_value

CODE = "schema.array-type"
SEVERITY = Severity.ERROR
KEYWORDS = ("arrayType",)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    if node.get("type") != "array":
        shown = show_value(node["type"]) if "type" in node else "no type"
        yield Problem(
            (*path, "arrayType"), f"arrayType stands beside {shown}", '"type": "array"', "remove it", key=True
        )
