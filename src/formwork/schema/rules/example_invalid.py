"""An example is no valid value.

Finds: an entry of `examples` that the type, enum, const or bounds beside it refuse.

Why: examples are what users copy, and what documentation shows.

Example: `{"type": "integer", "examples": ["3"]}`

Mend: correct the example.

Source: resource schema document, Resource Shape.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, show_value
from formwork.schema.metaschemas import Kind
from formwork.schema.node_types import allows

CODE = "schema.example-invalid"
SEVERITY = Severity.WARNING
KINDS = (Kind.RESOURCE, Kind.HOOK)
KEYWORDS = ("examples",)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    """See `NodeRule`."""
    for index, value in enumerate(node["examples"]):
        reason = allows(node, value)
        if reason is not None:
            shown = show_value(value)
            yield Problem((*path, "examples", index), f"the example {shown} is not valid here", reason, "correct it")
