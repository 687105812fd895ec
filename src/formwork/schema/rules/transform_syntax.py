r"""A property transform is not a JSONata expression.

Finds: a value of `propertyTransform` that JSONata cannot read, and `$OR` inside a text or inside brackets, where it
separates nothing.

Why: the transform is never applied, and resources drift falsely.

Example: `"propertyTransform": {"/properties/Name": "$join([Name, \"T $OR Y\"])"}`

Fix: correct the expression; put `$OR` between whole expressions: `$lowercase(Name) $OR $uppercase(Name)`.

Source: resource schema document, propertyTransform ("It is not supported as part of a string"); user guide, Preventing
false drift detection results.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.transform-syntax"
SEVERITY = Severity.ERROR
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    transforms = checked.value.get("propertyTransform")
    if not isinstance(transforms, dict) or not transforms:
        return
    from formwork.jsonata.errors import TransformError  # noqa: PLC0415 - as below
    from formwork.schema.transforms import parse_transform  # noqa: PLC0415 - JSONata costs 50 ms

    for pointer, text in transforms.items():
        if not isinstance(text, str):
            continue
        try:
            parse_transform(text)
        except TransformError as error:
            where = f" (character {error.position + 1})" if error.position is not None else ""
            hint = "put $OR between whole expressions" if "$OR" in str(error) else "correct the expression"
            yield Problem(("propertyTransform", pointer), f"{error}{where}", "a JSONata expression", hint)
