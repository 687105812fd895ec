"""An enum holds a value that its schema refuses.

Finds: a value of `enum` or `const` of another type than `type`.

Why: it can never be used.

Example: `"Port": {"type": "integer", "enum": [80, "443"]}`

Fix: write it in the right type, or remove it.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, show_value
from formwork.schema.node_types import allows

CODE = "schema.enum-value"
SEVERITY = Severity.WARNING
KEYWORDS = ("enum", "const")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    rest = {key: each for key, each in node.items() if key not in ("enum", "const")}
    if "const" in node and (reason := allows(rest, node["const"])) is not None:
        yield Problem((*path, "const"), f"{show_value(node['const'])} can never be used", reason, "write another")
    for index, value in enumerate(node.get("enum", ())):
        if (reason := allows(rest, value)) is not None:
            yield Problem((*path, "enum", index), f"{show_value(value)} can never be used", reason, "remove it")
