"""A property has no type.

Finds: a property whose schema has neither `type` nor anything that stands for one (`$ref`, `properties`, `items`,
alternatives).

Why: any value is valid, and models in typed languages cannot say what it is.

Example: `"Name": {"description": "Its name"}`

Fix: add `type`.

Source: resource schema document, Resource Shape (the type of each property).
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.missing-type"
SEVERITY = Severity.WARNING
_SAY = frozenset({"type", "$ref", "allOf", "anyOf", "oneOf", "properties", "patternProperties", "items"})
_ELSEWHERE = frozenset({"allOf", "anyOf", "oneOf", "dependencies", "handlers"})


def check(checked: Checked) -> Iterator[Problem]:
    for node in checked.nodes:
        if (
            _SAY.isdisjoint(node.value)
            and len(node.path) > 1
            and node.path[-2] == "properties"
            and _ELSEWHERE.isdisjoint(node.path)
        ):
            message = f'"{node.path[-1]}" has no type, so any value is valid'
            yield Problem(node.path, message, '"type"', "say what it is", key=True)
