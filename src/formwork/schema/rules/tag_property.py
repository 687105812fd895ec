"""The property that holds the tags is missing.

Finds: a type that says `"taggable": true` without naming its `tagProperty`, and has no property `Tags`.

Why: nobody could set tags; the default of `tagProperty` is `/properties/Tags`.

Example: `"tagging": {"taggable": true}`

Mend: name the property, or set `taggable` to `false`.

Source: user guide, Resource type schema.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem
from formwork.schema.metaschemas import Kind

CODE = "schema.tag-property"
SEVERITY = Severity.WARNING
KINDS = (Kind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    """See `SchemaRule`."""
    tagging = checked.value.get("tagging")
    if not isinstance(tagging, dict) or tagging.get("taggable") is not True or "tagProperty" in tagging:
        return
    if "Tags" not in checked.value["properties"]:
        message = "the type takes tags, and no property holds them"
        yield Problem(("tagging",), message, "a tagProperty that exists", "name the property", key=True)
