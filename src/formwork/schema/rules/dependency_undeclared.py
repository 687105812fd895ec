"""A dependency names no property.

Finds: a name in `dependencies` of a closed object, as a key or in a list, that the object does not declare.

Why: what depends on an undeclared property can never be given.

Example: `"dependencies": {"ResponseCode": ["ResponsePagePth"]}`

Fix: correct the name.

Source: user guide, How to specify a property as dependent on another.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.dependency-undeclared"
SEVERITY = Severity.WARNING
KEYWORDS = ("dependencies",)


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    if node.get("additionalProperties") is not False or "patternProperties" in node:
        return
    schema, dependencies = checked.view.node(node, path), node["dependencies"]
    for name, needed in dependencies.items() if isinstance(dependencies, dict) else ():
        if schema.child(name) is None:
            at = (*path, "dependencies", name)
            yield Problem(at, f'"{name}" is not declared', "a declared member", "correct the name", key=True)
        for index, each in enumerate(needed if isinstance(needed, list) else ()):
            if isinstance(each, str) and schema.child(each) is None:
                message = f'"{name}" depends on "{each}", which is not declared'
                yield Problem((*path, "dependencies", name, index), message, "a declared member", "correct the name")
