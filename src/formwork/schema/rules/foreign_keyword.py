"""A keyword has no effect on this type.

Finds: a keyword of one type on a value of another: `minLength` on a number, `maximum` on a string, `properties`
aside.

Why: it constrains nothing, though the author thought it would.

Example: `"Size": {"type": "integer", "maxLength": 3}`

Fix: use the keyword of the type: `maximum`.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, show_value
from formwork.schema.node_types import KEYWORD_TYPES, types_of

CODE = "schema.foreign-keyword"
SEVERITY = Severity.WARNING
KEYWORDS = tuple(KEYWORD_TYPES)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    if "type" not in node:
        return
    types = types_of(node)
    for keyword in node:
        if (wanted := KEYWORD_TYPES.get(keyword)) is not None and not types & wanted:
            shown, what = show_value(node["type"]), " or ".join(sorted(wanted))
            yield Problem(
                (*path, keyword), f'"{keyword}" has no effect on {shown}', f"a type of {what}", "remove it", key=True
            )
