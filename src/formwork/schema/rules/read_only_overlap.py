"""A readOnly property is also something that users set.

Finds: a property in `readOnlyProperties` that is also in `createOnlyProperties`, `writeOnlyProperties` or `required`,
is part of a writeOnly property, is required by the object that it stands in, or holds what users set.

Why: users cannot set a readOnly property: if it is required they cannot create the resource, if it is also
writeOnly they can never see it.

Example: `"required": ["Arn"], "readOnlyProperties": ["/properties/Arn"]`

Fix: decide who sets the property, and remove it from the other list.

Source: resource schema document, Resource Semantics.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.paths import PropertyPath

CODE = "schema.read-only-overlap"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    taken = {
        path: f"in {keyword}"
        for keyword in ("writeOnlyProperties", "createOnlyProperties")
        for path in checked.paths(keyword)
    }
    required = checked.value.get("required")
    taken |= {(name,): "required" for name in required if isinstance(name, str)} if isinstance(required, list) else {}
    for pointer in checked.pointers("readOnlyProperties"):
        why = taken.get(pointer.path) or _by_its_parents(checked, pointer.path)
        if why is not None:
            message = f'"{pointer.text}" is readOnly and {why}'
            yield Problem(
                pointer.at, message, "a property that either users or the service set", "remove it from one of them"
            )


def _by_its_parents(checked: Checked, path: PropertyPath) -> str | None:
    """Return how a property around or inside the one at `path` contradicts that it is readOnly, or None."""
    above = [path[:length] for length in range(1, len(path))]
    write_only = checked.paths("writeOnlyProperties")
    if any(each in write_only for each in above):
        return "part of a writeOnly property"
    holder = checked.view.at(path[:-1]) if len(path) > 1 else None
    required = holder.get("required") if holder is not None else None
    if isinstance(required, list) and path[-1] in required:
        return "required by the object that it stands in"
    for each in write_only | checked.paths("createOnlyProperties"):
        if len(each) > len(path) and each[: len(path)] == path:
            return f'holds "{"/".join(each)}", which users set'
    return None
