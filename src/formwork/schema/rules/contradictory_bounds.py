"""No value is within the bounds.

Finds: a least bound above the greatest: `minimum` and `maximum`, `minLength` and `maxLength`, `minItems` and
`maxItems`, `minProperties` and `maxProperties`.

Why: no value is valid.

Example: `"minLength": 10, "maxLength": 1`

Fix: swap or correct them.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.contradictory-bounds"
SEVERITY = Severity.WARNING
_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
KEYWORDS = tuple(low for low, _ in _PAIRS)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    for low, high in _PAIRS:
        if low in node and high in node and node[low] > node[high]:
            message = f'"{low}" is {node[low]} and "{high}" is {node[high]}, so no value is valid'
            yield Problem((*path, low), message, f"at most {node[high]}", "swap or correct them")
