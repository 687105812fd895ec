"""A $ref leads back to itself.

Finds: a chain of `$ref`s without a schema at its end; a schema that is a part or an alternative (`allOf`, `anyOf`,
`oneOf`) of itself, through other documents too. A definition that contains itself in a property or item is fine.

Why: there is no schema to find; code generators crash on it.

Example: `"A": {"$ref": "#/definitions/B"}, "B": {"$ref": "#/definitions/A"}`

Fix: let one of them be a schema.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.circles import find_circles
from formwork.schema.findings import Path

CODE = "schema.circular-ref"
SEVERITY = Severity.ERROR
KEYWORDS = ("$ref",)

check = find_circles


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    fault = checked.ref_fault(node["$ref"])
    if fault is not None and fault.endswith("refers to itself"):
        yield Problem((*path, "$ref"), f'"{node["$ref"]}" leads back to itself', "a chain that ends in a schema")
