"""An enum holds a value that its schema refuses.

Finds: a value of `enum` or `const` of another type than `type`, a value that stands twice, or an empty `enum`.

Why: it can never be used.

Example: `"Port": {"type": "integer", "enum": [80, "443"]}`

Mend: write it in the right type, or remove it.

Source: JSON Schema draft-07.
"""

import json
from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, show_value
from formwork.schema.metaschemas import Kind
from formwork.schema.node_types import allows

CODE = "schema.enum-value"
SEVERITY = Severity.WARNING
KINDS = (Kind.RESOURCE, Kind.HOOK)
KEYWORDS = ("enum", "const")


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    """See `NodeRule`."""
    rest = {key: each for key, each in node.items() if key not in ("enum", "const")}
    if "const" in node and (reason := allows(rest, node["const"])) is not None:
        yield Problem((*path, "const"), f"{show_value(node['const'])} can never be used", reason, "write another")
    if node.get("enum") == []:
        yield Problem((*path, "enum"), "the enum is empty: nothing is valid", "at least 1 value", "add values")
    seen: set[str] = set()
    for index, value in enumerate(node.get("enum", ())):
        shown, mark = show_value(value), json.dumps(value, sort_keys=True)
        if (reason := allows(rest, value)) is not None:
            yield Problem((*path, "enum", index), f"{shown} can never be used", reason, "remove it")
        elif mark in seen:
            yield Problem((*path, "enum", index), f"{shown} stands twice", "every value once", "remove one")
        seen.add(mark)
