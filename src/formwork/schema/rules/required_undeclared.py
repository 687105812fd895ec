"""A required member is not declared.

Finds: a name in `required` that the same schema does not declare, where it allows no undeclared members.

Why: nobody can provide it, so no value is valid.

Example: `"required": ["Nmae"], "properties": {"Name": {…}}`

Mend: correct the name.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path
from formwork.schema.metaschemas import Kind

CODE = "schema.required-undeclared"
SEVERITY = Severity.WARNING
KINDS = (Kind.RESOURCE, Kind.HOOK)
KEYWORDS = ("required",)


def check(checked: Checked) -> Iterator[Problem]:
    """The required properties of the resource; those of nested objects come through `check_node`."""
    if isinstance(checked.value.get("required"), list) and checked.kind is Kind.RESOURCE:
        yield from check_node(checked, (), dict(checked.value))


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    """See `NodeRule`."""
    if node.get("additionalProperties") is not False or "patternProperties" in node:
        return
    for index, name in enumerate(node["required"]):
        if isinstance(name, str) and checked.tree.child(node, name) is None:
            message = f'"{name}" is required and not declared'
            yield Problem((*path, "required", index), message, "a declared member", "correct the name, or declare it")
