"""Properties have no description.

Finds: declared properties whose schema, and what it refers to, has no `description` or a blank one, one finding for
each object; a blank description of the type.

Why: the description is all that users see in the console and in generated documentation.

Example: `"Size": {"type": "integer"}`

Fix: say what the property is for.

Source: resource schema document, Resource Shape; user guide, documentationUrl.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path
from formwork.schema.view import Subschema

CODE = "schema.missing-description"
SEVERITY = Severity.WARNING
KEYWORDS = ("properties",)


def check(checked: Checked) -> Iterator[Problem]:
    """Yield the properties at the top; those of nested objects come through `check_node`."""
    if not str(checked.value.get("description", "x")).strip():
        yield Problem(("description",), "the description is empty", "what the type is", "say what the type is")
    yield from check_node(checked, (), dict(checked.value))
    configuration = checked.value.get("typeConfiguration")
    if isinstance(configuration, dict):
        yield from check_node(checked, ("typeConfiguration",), configuration)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    properties = checked.view.node(node, path).properties
    if any(each in ("allOf", "anyOf", "oneOf") for each in path):
        return
    lacking = [name for name, each in properties.items() if not _is_described(each)]
    if lacking:
        names = ", ".join(lacking[:5]) + (", …" if len(lacking) > 5 else "")
        count = f"{len(lacking)} properties have" if len(lacking) > 1 else "a property has"
        first = (*path, "properties", lacking[0])
        yield Problem(first, f"{count} no description: {names}", '"description"', "say what each is for", key=True)


def _is_described(node: Subschema) -> bool:
    return bool(str(node.get("description") or "").strip() or ("$ref" in node and node.target.get("description")))
