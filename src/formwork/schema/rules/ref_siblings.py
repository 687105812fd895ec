"""A keyword beside a $ref has no effect.

Finds: keywords other than `description`, `title`, `$comment`, `examples`, `default`, `insertionOrder`, `arrayType`
and `relationshipRef` beside a `$ref`.

Why: JSON Schema ignores everything beside a `$ref`.

Example: `{"$ref": "#/definitions/Name", "maxLength": 10}`

Fix: move the keyword into the definition, or use `allOf`.

Source: JSON Schema draft-07.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.ref-siblings"
SEVERITY = Severity.WARNING
KEYWORDS = ("$ref",)
_HARMLESS = frozenset(
    {
        "$ref",
        "$comment",
        "arrayType",
        "default",
        "description",
        "examples",
        "insertionOrder",
        "relationshipRef",
        "title",
        "type",
    }
)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:  # noqa: ARG001 - one signature
    for keyword in node:
        if keyword not in _HARMLESS:
            message = f'"{keyword}" has no effect beside "$ref"'
            yield Problem((*path, keyword), message, "a $ref alone", "move it into the definition", key=True)
