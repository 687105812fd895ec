"""A property transform is not a text.

Finds: a value of `propertyTransform` that is not a string.

Why: a transform is a JSONata expression; CloudFormation refuses anything else.

Example: `"propertyTransform": {"/properties/Id": {"$abs": "Id"}}`

Fix: write the expression as a string.

Source: resource schema document, propertyTransform (Map<String, String>).
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.findings import show_value

CODE = "schema.transform-not-text"
SEVERITY = Severity.ERROR
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    transforms = checked.value.get("propertyTransform")
    for pointer, transform in transforms.items() if isinstance(transforms, dict) else ():
        if not isinstance(transform, str):
            shown = show_value(transform)
            yield Problem(
                ("propertyTransform", pointer), f"{shown} is not a transform", "a JSONata expression as a string"
            )
