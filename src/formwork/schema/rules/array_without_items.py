"""An array does not say what its items are.

Finds: a schema of type `array` without `items`.

Why: all properties must be expressed in the schema: whatever stands in the array is accepted, and no model can be
generated for it.

Example: `{"type": "array"}`

Fix: add `items`.

Source: user guide, Resource type schema, properties and items.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.array-without-items"
SEVERITY = Severity.WARNING
_ELSEWHERE = frozenset({"items", "$ref", "allOf", "anyOf", "oneOf", "enum", "const"})
_COMBINERS = frozenset({"allOf", "anyOf", "oneOf"})


def check(checked: Checked) -> Iterator[Problem]:
    for node in checked.nodes:
        if node.value.get("type") == "array" and _ELSEWHERE.isdisjoint(node.value) and _COMBINERS.isdisjoint(node.path):
            message = "the array does not say what its items are"
            yield Problem((*node.path, "type"), message, '"items" with a schema', 'add "items"')
