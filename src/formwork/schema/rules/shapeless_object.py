"""An object has no shape.

Finds: a schema of type `object` that declares neither `properties` nor `patternProperties`; as a warning where it
forbids all others too, so that only the empty object is valid.

Why: arbitrary inputs are not allowed: all properties must be expressed in the schema. Types for policies and other
free documents do it knowingly.

Example: `{"type": "object"}`

Fix: declare the members, or for a map `patternProperties`.

Source: user guide, Resource type schema, properties.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.shapeless-object"
SEVERITY = Severity.INFO
_SHAPES = frozenset({"properties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf", "enum", "const", "required"})
_PARTS = frozenset({"allOf", "anyOf", "oneOf", "dependencies"})


def check(checked: Checked) -> Iterator[Problem]:
    for node in checked.nodes:
        if node.value.get("type") != "object" or not _SHAPES.isdisjoint(node.value) or not _PARTS.isdisjoint(node.path):
            continue
        at, expected, hint = (*node.path, "type"), "properties or patternProperties", "declare its members"
        if node.value.get("additionalProperties") is False:
            message = "the object declares no members and forbids all others: only {} is valid"
            yield Problem(at, message, expected, hint, severity=Severity.WARNING)
        else:
            yield Problem(at, "the object may hold anything", expected, hint)
