"""The property that holds the tags is missing.

Finds: a type that says `"taggable": true` and has neither a `tagProperty` nor a property `Tags`; a tag property that
holds no tags (a text, or items without a key and a value), or that users cannot set or update.

Why: users could not set tags; the default of `tagProperty` is `/properties/Tags`.

Example: `"tagging": {"taggable": true}`

Fix: name the property, or set `taggable` to `false`.

Source: user guide, Resource type schema.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem
from formwork.schema.paths import PropertyPath
from formwork.schema.view import UNKNOWN, Subschema

CODE = "schema.tag-property"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    tagging = checked.value.get("tagging")
    if not isinstance(tagging, dict) or tagging.get("taggable") is not True:
        return
    if "tagProperty" not in tagging and "Tags" not in checked.value["properties"]:
        message = "the type takes tags, and no property holds them"
        yield Problem(("tagging",), message, "a tagProperty that exists", "name the property", key=True)
        return
    named = "tagProperty" in tagging
    at = ("tagging", "tagProperty") if named else ("tagging",)
    pointer = checked.pointer(at, tagging["tagProperty"] if named else "/properties/Tags")
    node = checked.view.at(pointer.path) if pointer.found else None
    fault = None if node is None else _fault(checked, pointer.path, node)
    if fault is not None:
        expected = "an array of objects with a key and a value, or a map, that users can set"
        yield Problem(at, f'"{pointer.text}" {fault}', expected, "correct the property, or name another", key=not named)


def _fault(checked: Checked, path: PropertyPath, node: Subschema) -> str | None:
    """Return why tags cannot stand in the property at `path`, whose schema is `node`."""
    if path in checked.paths("readOnlyProperties"):
        return "is readOnly, so users cannot set tags"
    if path in checked.paths("createOnlyProperties") and checked.value["tagging"].get("tagUpdatable") is True:
        return "is createOnly, and tagUpdatable is true"
    types = set(node.types)
    if types and not types & {"array", "object"}:
        return f"is of type {' or '.join(sorted(types))}, which holds no tags"
    item = node.items.target if types == {"array"} and node.items is not None else UNKNOWN
    names = " ".join(item.properties).lower()
    if item.types == ("object",) and names and not ("key" in names and "value" in names):
        return "has items without a key and a value"
    return None
