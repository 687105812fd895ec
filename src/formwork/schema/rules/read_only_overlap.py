"""A readOnly property is also something that users set.

Finds: a property in `readOnlyProperties` that is also in `createOnlyProperties`, `writeOnlyProperties` or `required`.

Why: nobody can set a readOnly property: if it is required nobody can create the resource, if it is also writeOnly
nobody can ever see it.

Example: `"required": ["Arn"], "readOnlyProperties": ["/properties/Arn"]`

Mend: decide who sets the property, and remove it from the other list.

Source: resource schema document, Resource Semantics.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.metaschemas import Kind

CODE = "schema.read-only-overlap"
SEVERITY = Severity.WARNING
KINDS = (Kind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    """See `SchemaRule`."""
    taken = {
        path: f"in {keyword}"
        for keyword in ("writeOnlyProperties", "createOnlyProperties")
        for path in checked.paths(keyword)
    }
    required = checked.value.get("required")
    taken |= {(name,): "required" for name in required if isinstance(name, str)} if isinstance(required, list) else {}
    for pointer in checked.pointers("readOnlyProperties"):
        if pointer.path in taken:
            message = f'"{pointer.text}" is readOnly and {taken[pointer.path]}'
            yield Problem(
                pointer.at, message, "a property that either users or the service set", "remove it from one of them"
            )
