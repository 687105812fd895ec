"""A required member is not declared.

Finds: a name in `required` that the same schema, of which it may be a part or alternative (`allOf`, `anyOf`,
`oneOf`), does not declare, where it allows no undeclared members; the same in list's `handlerSchema`.

Why: nobody can provide it, so no value is valid.

Example: `"required": ["Nmae"], "properties": {"Name": {…}}`

Mend: correct the name.

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
KINDS = (ExtensionKind.RESOURCE, ExtensionKind.HOOK)
KEYWORDS = ("required", "allOf", "anyOf", "oneOf")
_LIST: Path = ("handlers", "list", "handlerSchema")


def check(checked: Checked) -> Iterator[Problem]:
    """The outermost objects: the resource, its configuration and list's input; inner ones come by `check_node`."""
    configuration = checked.value.get("typeConfiguration")
    if isinstance(configuration, dict):
        yield from _required(
            ("typeConfiguration",), configuration, checked.view.node(configuration, ("typeConfiguration",))
        )
    if checked.kind is ExtensionKind.RESOURCE:
        yield from check_node(checked, (), dict(checked.value))
        given = get_at(checked.value, tuple(map(str, _LIST)))
        if isinstance(given, dict):
            yield from _required(_LIST, given, checked.view.node(given, _LIST))


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    """See `NodeRule`."""
    if node.get("additionalProperties") is not False or "patternProperties" in node:
        return
    whole = checked.view.node(node, path)
    yield from _required(path, node, whole)
    for keyword in ("allOf", "anyOf", "oneOf"):
        parts = node.get(keyword)
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            if isinstance(part, dict):
                yield from _required((*path, keyword, index), part, whole)


def _required(path: Path, node: dict[str, Any], whole: Subschema) -> Iterator[Problem]:
    """What `node` requires and `whole`, of which it is a part, does not declare."""
    required = node.get("required")
    for index, name in enumerate(required if isinstance(required, list) else ()):
        if isinstance(name, str) and whole.child(name) is None:
            message = f'"{name}" is required and not declared'
            yield Problem((*path, "required", index), message, "a declared member", "correct the name, or declare it")
