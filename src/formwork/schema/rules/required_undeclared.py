"""A required member is not declared.

Finds: a name in `required` that the same schema, of which it may be a part or alternative (`allOf`, `anyOf`,
`oneOf`), does not declare, where it allows no undeclared members; the same in list's `handlerSchema`.

Why: no user can provide it, so no value is valid.

Example: `"required": ["Nmae"], "properties": {"Name": {…}}`

Fix: correct the name.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity, get_at
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path
from formwork.schema.view import Subschema

CODE = "schema.required-undeclared"
SEVERITY = Severity.WARNING
KEYWORDS = ("required", "allOf", "anyOf", "oneOf")
_LIST: Path = ("handlers", "list", "handlerSchema")


def check(checked: Checked) -> Iterator[Problem]:
    """The outermost objects: the resource, its configuration and list's input; inner ones come by `check_node`."""
    for path in (("typeConfiguration",), _LIST):
        written = get_at(checked.value, path)
        if isinstance(written, dict) and (path != _LIST or checked.kind is ExtensionKind.RESOURCE):
            schema = checked.view.node(written, path)
            yield from _required(schema, schema)
    if checked.kind is ExtensionKind.RESOURCE:
        yield from check_node(checked, (), dict(checked.value))


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    if node.get("additionalProperties") is not False or "patternProperties" in node:
        return
    whole = checked.view.node(node, path)
    for part in (whole, *whole.combined):
        yield from _required(part, whole)


def _required(schema: Subschema, whole: Subschema) -> Iterator[Problem]:
    """Yield what `schema` requires and `whole`, of which it is a part, does not declare."""
    for index, name in enumerate(schema.required):
        if whole.child(name) is None:
            message = f'"{name}" is required and not declared'
            place = (*schema.path, "required", index)
            yield Problem(place, message, "a declared member", "correct the name, or declare it")
