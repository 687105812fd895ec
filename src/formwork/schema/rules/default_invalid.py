"""A default does not keep to its own schema.

Finds: a `default` that the schema around it refuses: its type, `enum` and bounds, its `pattern`, the schemas of its
items and members, the alternatives, what its `$ref` leads to.

Why: a user who relies on the default gets a value that the type refuses.

Example: `"Size": {"type": "integer", "default": "3"}`

Fix: write a default that is valid.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.noted_values import NotedValue, find_invalid_values

CODE = "schema.default-invalid"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:
    values = [
        NotedValue((*node.path, "default"), node.value["default"], node)
        for node in checked.nodes
        if "default" in node.value
    ]
    for each in find_invalid_values(checked, values):
        yield Problem(each.path, f"in the default: {each.reason}", each.expected, "write a valid default", each.key)
