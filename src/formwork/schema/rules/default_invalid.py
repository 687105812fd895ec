"""A default does not keep to its own schema.

Finds: a `default` of another type, or outside `enum`, `const` or the bounds beside it.

Why: whoever relies on the default gets a value that the type refuses.

Example: `"Size": {"type": "integer", "default": "3"}`

Mend: write a default that is valid.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path, show_value
from formwork.schema.metaschemas import Kind
from formwork.schema.node_types import allows

CODE = "schema.default-invalid"
SEVERITY = Severity.WARNING
KINDS = (Kind.RESOURCE, Kind.HOOK)
KEYWORDS = ("default",)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    """See `NodeRule`."""
    reason = allows(node, node["default"])
    if reason is not None:
        shown = show_value(node["default"])
        yield Problem((*path, "default"), f"the default {shown} is not valid here", reason, "write a valid default")
