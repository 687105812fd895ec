"""What may be written in the schema of an extension."""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import get_at
from formwork.editor.features.suggestions import ENUM, KEYWORD, PROPERTY, REFERENCE, TYPE, VALUE, Suggestion
from formwork.editor.reading.cursor import CursorPlace
from formwork.editor.reading.guide import meta_guide
from formwork.editor.reading.pointers import is_pointer_place, list_properties, pointer_text
from formwork.editor.reading.view import DocumentView
from formwork.schema.view import SchemaView

_FORMATS = (
    "date-time",
    "date",
    "time",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "json-pointer",
    "regex",
)
_MAPS = ("properties", "definitions", "patternProperties")


def suggest_in_schema(view: DocumentView, cursor: CursorPlace) -> Iterator[Suggestion]:  # noqa: C901 - one branch a place
    """Yield what may be written at the cursor."""
    if cursor.in_key:
        yield from _keys(view, cursor)
        return
    path = cursor.path
    if is_pointer_place(path):
        yield from _pointers(view, beyond=_written_pointers(view.value, path))
    elif path[-1:] == ("$ref",):
        yield from _references(view.value)
    elif "permissions" in path[-2:-1]:
        yield from suggest_actions(cursor.typed)
    elif "required" in path[-2:-1]:
        members = get_at(view.value, (*path[:-2], "properties"))
        taken = get_at(view.value, path[:-1], [])
        for name in members if isinstance(members, dict) else ():
            if name not in taken or name == cursor.word:
                yield Suggestion(name, "property", kind=PROPERTY)
    elif path[-1:] == ("format",):
        yield from (Suggestion(each, kind=ENUM) for each in _FORMATS)
    elif "targetNames" in path[-2:-1]:
        yield from suggest_types(view, cursor.typed)
    else:
        guide = meta_guide(view.extension.noun)
        for value in guide.values(path):
            yield Suggestion(value, kind=TYPE if path[-1:] == ("type",) else VALUE)
        if path == ("typeName",) and view.project is not None:
            yield Suggestion(view.project.type_name, "the project's type", kind=VALUE)


def suggest_actions(typed: str) -> Iterator[Suggestion]:
    """Yield actions of AWS: services until a colon is typed, then those of the service."""
    from formwork.egress.action_names import action_prefixes, list_actions  # noqa: PLC0415 - reads AWS's models

    prefix, colon, _ = typed.partition(":")
    if colon:
        yield from (Suggestion(f"{prefix}:{name}", "permission", kind=VALUE) for name in list_actions(prefix.lower()))
    else:
        yield from (Suggestion(f"{each}:", "actions of a service", kind=VALUE) for each in action_prefixes())


def suggest_types(view: DocumentView, typed: str) -> Iterator[Suggestion]:
    """Yield names of types whose schema is on this machine, once a few letters are typed."""
    pattern = f"*{typed.rpartition('::')[0]}*" if "::" in typed else "*"
    for name in view.session.dependencies.schemas.matching(pattern):
        yield Suggestion(name, "resource type", kind=TYPE)


def _keys(view: DocumentView, cursor: CursorPlace) -> Iterator[Suggestion]:
    holder = cursor.holder
    taken = view.taken(cursor)
    if holder == ("propertyTransform",):
        yield from (each for each in _pointers(view) if each.value not in taken)
        return
    if holder[-1:] and holder[-1] in _MAPS and holder[-2:-1] not in (("properties",), ("definitions",)):
        return  # names of the author's own
    guide = meta_guide(view.extension.noun)
    for name, node in guide.names(holder).items():
        if name not in taken:
            yield Suggestion(name, guide.type_of(node), guide.describe(node), KEYWORD)


def _pointers(view: DocumentView, *, beyond: frozenset[str] = frozenset()) -> Iterator[Suggestion]:
    for path, node in list_properties(SchemaView(view.value if isinstance(view.value, dict) else {})):
        text = pointer_text(path)
        if text not in beyond:
            yield Suggestion(text, ", ".join(node.target.types) or None, _text(node.keyword("description")), REFERENCE)


def _written_pointers(value: Any, path: tuple[str | int, ...]) -> frozenset[str]:
    """Return the other pointers of the list that the cursor is in."""
    listed = get_at(value, path[:-1])
    own = get_at(value, path)
    return (
        frozenset(each for each in listed if isinstance(each, str) and each != own)
        if isinstance(listed, list)
        else frozenset()
    )


def _references(value: Any) -> Iterator[Suggestion]:
    for holder in ("definitions", "properties"):
        members = get_at(value, (holder,))
        for name, node in members.items() if isinstance(members, dict) else ():
            described = node.get("description") if isinstance(node, dict) else None
            yield Suggestion(f"#/{holder}/{name}", holder[:-1], _text(described), REFERENCE)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
