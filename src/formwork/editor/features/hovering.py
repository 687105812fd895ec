"""Hover: what a keyword, a property, a pointer, a rule or a transform means."""

from collections.abc import Callable, Iterator
from typing import Any

from formwork.diagnostics import get_at
from formwork.diagnostics.catalogue import describe_code
from formwork.editor.kinds import DocumentKind
from formwork.editor.protocol.requests import uri_of
from formwork.editor.reading.cursor import CursorPlace, find_cursor
from formwork.editor.reading.guide import SchemaGuide, meta_guide
from formwork.editor.reading.occurrences import is_declaration, property_at_cursor
from formwork.editor.reading.types import find_type
from formwork.editor.reading.view import DocumentView, view_of
from formwork.editor.session import EditorSession
from formwork.schema.checking import POINTER_LISTS
from formwork.schema.view import SchemaView, Subschema

_LIMITS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format", "default")


def answer_hover(session: EditorSession, params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Return what is known of the word at a position; null where it is nothing."""
    view = view_of(session, uri_of(params))
    offset = view.open.offset(params.get("position"))
    parts = [*_rules(view, offset)]
    cursor = None
    if view.kind not in (DocumentKind.SMITHY, DocumentKind.OTHER):
        cursor = find_cursor(view.text, offset)
        parts = [*_explain(view, cursor), *parts]
    if not parts:
        return None
    hover: dict[str, Any] = {"contents": session.client.hover_contents("\n\n---\n\n".join(parts))}
    if cursor is not None and cursor.end > cursor.start:
        hover["range"] = view.index.range(cursor.start, cursor.end)
    return hover


def _explain(view: DocumentView, cursor: CursorPlace) -> Iterator[str]:
    if view.kind is DocumentKind.SCHEMA and cursor.path[:1] == ("propertyTransform",) and len(cursor.path) == 2:
        from formwork.editor.features.transforms import explain_transform  # noqa: PLC0415 - on first use

        yield from explain_transform(view, str(cursor.path[1]))
    found = property_at_cursor(view, cursor)
    if found is not None and view.schema is not None:
        yield describe_property(SchemaView(view.schema.value), found)
    elif view.kind is DocumentKind.SCHEMA:
        yield from _in_schema(view, cursor)
    elif view.kind in (DocumentKind.TEMPLATE, DocumentKind.FRAGMENT):
        yield from _in_template(view, cursor)
    elif cursor.in_key:
        from formwork.editor.features.data_suggestions import guide_of  # noqa: PLC0415 - on first use

        guide = guide_of(view)
        text = guide.text(cursor.path) if guide is not None else None
        if text is not None:
            yield f"**{cursor.key}**: {text}"


def _in_schema(view: DocumentView, cursor: CursorPlace) -> Iterator[str]:
    if cursor.in_key and not (
        cursor.path[-2:-1] in (("properties",), ("definitions",)) and is_declaration(cursor.path)
    ):
        text = meta_guide(view.extension.noun).text(cursor.path)
        if text is not None:
            yield f"**{cursor.key}**: {text}"
    elif cursor.path[-1:] == ("$ref",):
        target = SchemaView(view.value if isinstance(view.value, dict) else {}).resolve(cursor.word)
        if target is not None:
            yield _describe(cursor.word, target, [])


def describe_property(tree: SchemaView, found: Subschema) -> str:
    """Return a property in Markdown: its type, what may be done with it, its description and limits."""
    marks = [keyword.removesuffix("Properties") for keyword in POINTER_LISTS if _lists(tree, keyword, found)]
    holder = tree.root.value if len(found.path) == 2 else {}
    required = holder.get("required")
    if isinstance(required, list) and found.path[-1] in required:
        marks.insert(0, "required")
    return _describe(str(found.path[-1]), found, marks)


def _lists(tree: SchemaView, keyword: str, found: Subschema) -> bool:
    from formwork.editor.reading.pointers import pointed_property  # noqa: PLC0415 - on first use

    listed = tree.root.value.get(keyword)
    texts = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    return any((target := pointed_property(tree, each)) is not None and target.path == found.path for each in texts)


def _describe(name: str, node: Subschema, marks: list[str]) -> str:
    types = " or ".join(node.target.types) or "any type"
    lines = [f"**{name}**: {types}{''.join(f', {mark}' for mark in marks)}", f"`{node.pointer}`"]
    description = node.keyword("description")
    lines += [description] if isinstance(description, str) else []
    limits = [f"{key} `{node.keyword(key)}`" for key in _LIMITS if node.keyword(key) is not None]
    listed = node.keyword("enum")
    if isinstance(listed, list):
        limits.append("one of " + ", ".join(f"`{each}`" for each in listed[:20]) + ("…" if len(listed) > 20 else ""))
    return "\n\n".join([*lines, *([", ".join(limits)] if limits else [])])


def _in_template(view: DocumentView, cursor: CursorPlace) -> Iterator[str]:
    path = cursor.path
    named = get_at(view.value, (*path[:2], "Type")) if len(path) > 2 and path[0] == "Resources" else None
    schema = find_type(view, named) if isinstance(named, str) else None
    if schema is None:
        return
    if path[2] == "Type":
        yield f"**{named}**: {schema.get('description', '')}"
    elif path[2] == "Properties" and len(path) > 3 and cursor.in_key:
        guide = SchemaGuide(schema)
        types = " or ".join(guide.types(path[3:])) or "any type"
        text = guide.text(path[3:])
        if guide.at(path[3:]):
            yield f"**{path[-1]}**: {types}" + (f"\n\n{text}" if text else "")


def _rules(view: DocumentView, offset: int) -> Iterator[str]:
    for each in view.session.found_at(view.open.uri):
        start, end = each.location.start, each.location.end
        if start is None or not view.index.offset_of(start) <= offset <= view.index.offset_of(end or start):
            continue
        entry = describe_code(each.code)
        if entry is not None and (each.location.pointer or view.kind is not DocumentKind.SCHEMA):
            yield f"[{each.code}]({entry.address}): {entry.title}\n\n{entry.detail}"
