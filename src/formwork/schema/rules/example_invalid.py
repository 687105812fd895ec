"""An example is not a valid value.

Finds: an entry of `examples` that the schema around it refuses: its type, `enum` and bounds, its `pattern`, the schemas
of its items and members, the alternatives, what its `$ref` leads to.

Why: examples are what users copy, and what documentation shows.

Example: `{"type": "integer", "examples": ["3"]}`

Fix: correct the example.

Source: resource schema document, Resource Shape.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.noted_values import NotedValue, find_invalid_values

CODE = "schema.example-invalid"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:
    values = [
        NotedValue((*node.path, "examples", index), value, node)
        for node in checked.nodes
        for index, value in enumerate(node.value.get("examples", ()))
    ]
    for each in find_invalid_values(checked, values):
        yield Problem(each.path, f"in the example: {each.reason}", each.expected, "correct the example", each.key)
