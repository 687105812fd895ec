"""A property transform is for no property.

Finds: a key of `propertyTransform` that leads to no property, is not a pointer to one, or leads to a readOnly or
writeOnly one, of which a template and read never both have a value.

Why: the transform is never applied.

Example: `"propertyTransform": {"/properties/Nmae": "$lowercase(Nmae)"}`

Fix: correct the pointer.

Source: resource schema document, propertyTransform (keys being property paths).
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.transform-target"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    transforms = checked.value.get("propertyTransform")
    for text in transforms if isinstance(transforms, dict) else ():
        pointer = checked.pointer(("propertyTransform", text), text)
        if not pointer.found:
            message = f'"{text}" names no property'
            yield Problem(pointer.at, message, "a pointer such as /properties/Name", "correct the pointer", key=True)
        elif pointer.path in checked.paths("readOnlyProperties") | checked.paths("writeOnlyProperties"):
            message = f'"{text}" is never both in a template and in the answer of read, so nothing is transformed'
            yield Problem(pointer.at, message, "a property that users set and read returns", "remove it", key=True)
