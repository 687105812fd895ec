"""A property declares its members in place.

Finds: a property of the resource that holds `properties` of its own.

Why: the user guide wants nested properties in `definitions`, where they have a name and can be used again; nothing
enforces it.

Example: `"properties": {"Endpoint": {"type": "object", "properties": {…}}}`

Fix: move the object to `definitions` and refer to it.

Source: user guide, Resource type schema, properties (nested properties are not allowed).
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.nested-properties"
SEVERITY = Severity.INFO
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    for name, node in checked.value["properties"].items():
        if "properties" in node:
            message = f'"{name}" declares its members in place'
            hint = 'move it to "definitions"'
            yield Problem(("properties", name), message, "a definition and a $ref to it", hint, key=True)
