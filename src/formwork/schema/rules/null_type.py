"""A property may be null.

Finds: `null` as a type or one of the types.

Why: CloudFormation refuses null in templates, and models leave out what is absent.

Example: `{"type": ["string", "null"]}`

Fix: remove `null`; a property that need not be there is not in `required`.

Source: handler contract (models without null values).
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.null-type"
SEVERITY = Severity.WARNING


def check(checked: Checked) -> Iterator[Problem]:
    for node in checked.nodes:
        types = node.value.get("type")
        if types == "null" or (type(types) is list and "null" in types):
            message = "templates and models have no null: an absent property is left out"
            yield Problem(
                (*node.path, "type"), message, "other types", 'remove "null", and the property from "required"'
            )
