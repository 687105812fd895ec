"""What may be written in a template: its structure, types, and properties and values of types on this machine."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.diagnostics import get_at
from formwork.editor.features.schema_suggestions import suggest_types
from formwork.editor.features.suggestions import ENUM, KEYWORD, PROPERTY, REFERENCE, Suggestion
from formwork.editor.kinds import is_aws_type
from formwork.editor.reading.cursor import CursorPlace
from formwork.editor.reading.guide import SchemaGuide
from formwork.editor.reading.types import find_type
from formwork.editor.reading.view import DocumentView
from formwork.template import PSEUDO_PARAMETERS
from formwork.template.read import SECTIONS

_RESOURCE_KEYS = (
    *("Type", "Properties", "DependsOn", "Condition", "Metadata"),
    *("DeletionPolicy", "UpdateReplacePolicy", "CreationPolicy", "UpdatePolicy"),
)
_PARAMETER_KEYS = (
    *("Type", "Default", "Description", "AllowedValues", "AllowedPattern", "ConstraintDescription", "NoEcho"),
    *("MinLength", "MaxLength", "MinValue", "MaxValue"),
)
_KEYS = {
    "Resources": _RESOURCE_KEYS,
    "Parameters": _PARAMETER_KEYS,
    "Outputs": ("Value", "Description", "Export", "Condition"),
}
_POLICIES = ("Delete", "Retain", "RetainExceptOnCreate", "Snapshot")
_REF_TAG = re.compile(r"!Ref\s+$")


def suggest_in_template(view: DocumentView, cursor: CursorPlace) -> Iterator[Suggestion]:
    """Yield what may be written at the cursor."""
    path = cursor.holder if cursor.in_key else cursor.path
    if view.leaves_out_aws:
        yield from _of_own_types(view, cursor, path)
    elif not path and cursor.in_key:
        taken = view.taken(cursor)
        yield from (Suggestion(each, "section", kind=KEYWORD) for each in SECTIONS if each not in taken)
    elif path[-1:] == ("Ref",) or _REF_TAG.search(view.text, max(0, cursor.start - 20), cursor.start):
        yield from _names(view.value)
    elif path[0] == "Resources" and len(path) > 2 and path[2] == "Properties":
        yield from _properties(view, cursor, path)
    elif cursor.in_key and len(path) == 2 and path[0] in _KEYS:
        taken = view.taken(cursor)
        yield from (Suggestion(each, kind=KEYWORD) for each in _KEYS[str(path[0])] if each not in taken)
    elif path[0] == "Resources" and len(path) > 2 and not cursor.in_key:
        yield from _attributes(view, cursor, str(path[2]))


def _of_own_types(view: DocumentView, cursor: CursorPlace, path: tuple[str | int, ...]) -> Iterator[Suggestion]:
    """Yield types that are not AWS's, and their properties."""
    if path[:1] != ("Resources",) or len(path) < 3:
        return
    if path[2] == "Properties":
        yield from _properties(view, cursor, path)
    elif path[2] == "Type" and not cursor.in_key:
        yield from (each for each in suggest_types(view, cursor.typed) if not is_aws_type(str(each.value)))


def _attributes(view: DocumentView, cursor: CursorPlace, name: str) -> Iterator[Suggestion]:
    if name == "Type":
        yield from suggest_types(view, cursor.typed)
    elif name in ("DeletionPolicy", "UpdateReplacePolicy"):
        yield from (Suggestion(each, kind=ENUM) for each in _POLICIES)
    elif name in ("DependsOn", "Condition"):
        section = "Resources" if name == "DependsOn" else "Conditions"
        yield from (Suggestion(each, kind=REFERENCE) for each in _members(view.value, section))


def _properties(view: DocumentView, cursor: CursorPlace, path: tuple[str | int, ...]) -> Iterator[Suggestion]:
    """Yield names and values of the properties of the resource's type."""
    named = get_at(view.value, (*path[:2], "Type"))
    schema = find_type(view, named) if isinstance(named, str) else None
    if schema is None:
        return
    guide = SchemaGuide(schema)
    inner = path[3:]
    if not cursor.in_key:
        yield from (Suggestion(each, kind=ENUM) for each in guide.values(inner))
        return
    taken = view.taken(cursor)
    read_only = {
        text.removeprefix("/properties/") for text in schema.get("readOnlyProperties") or () if isinstance(text, str)
    }
    required = {each for node in guide.at(inner) for each in node.value.get("required") or () if isinstance(each, str)}
    names = guide.names(inner)
    for name in sorted(names, key=lambda each: each not in required):
        if name in taken or (not inner and name in read_only):
            continue
        detail = f"{guide.type_of(names[name]) or 'any'}{', required' if name in required else ''}"
        yield Suggestion(name, detail, guide.describe(names[name]), PROPERTY)


def _names(value: Any) -> Iterator[Suggestion]:
    yield from (Suggestion(each, "parameter", kind=REFERENCE) for each in _members(value, "Parameters"))
    yield from (Suggestion(each, "resource", kind=REFERENCE) for each in _members(value, "Resources"))
    yield from (Suggestion(each, "pseudo parameter", kind=REFERENCE) for each in sorted(PSEUDO_PARAMETERS))


def _members(value: Any, section: str) -> Mapping[str, Any]:
    found = get_at(value, (section,))
    return found if isinstance(found, dict) else {}
