"""A property name begins with a small letter.

Finds: properties whose name does not begin with a capital letter.

Why: CloudFormation's properties are written in PascalCase everywhere; templates look odd otherwise.

Example: `"bucketName": {"type": "string"}`

Fix: write `BucketName`.

Source: AWS CloudFormation CLI.
"""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import Path

CODE = "schema.property-case"
SEVERITY = Severity.WARNING
KEYWORDS = ("properties",)


def check(checked: Checked) -> Iterator[Problem]:
    """Yield the properties at the top; those of nested objects come through `check_node`."""
    yield from check_node(checked, (), dict(checked.value))


def check_node(checked: Checked, path: Path, node: dict[str, Any]) -> Iterator[Problem]:
    properties = node.get("properties")
    if checked.kind is ExtensionKind.HOOK or path[:1] == ("typeConfiguration",) or not isinstance(properties, dict):
        return  # the guide's own hooks write minBuckets
    for name in properties:
        if name[:1].islower():
            better = name[:1].upper() + name[1:]
            message = f'the property "{name}" begins with a small letter'
            yield Problem((*path, "properties", name), message, "PascalCase", f'write "{better}"', key=True)
