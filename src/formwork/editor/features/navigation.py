"""Definitions and references: between pointers, properties, files of the project, handlers and their models."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from formwork.diagnostics import get_at
from formwork.editor.kinds import DocumentKind
from formwork.editor.protocol.addresses import address_of
from formwork.editor.protocol.positions import PositionIndex
from formwork.editor.protocol.requests import uri_of
from formwork.editor.reading.cursor import CursorPlace, find_cursor
from formwork.editor.reading.models import as_document, handler_place, model_places
from formwork.editor.reading.occurrences import list_occurrences, property_at_cursor
from formwork.editor.reading.pointers import referred
from formwork.editor.reading.types import find_type_document, module_fragment, projects
from formwork.editor.reading.view import DocumentView, view_of
from formwork.editor.session import EditorSession


def answer_definition(session: EditorSession, params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Return where what the cursor is on is defined; null where it is nothing that is."""
    view = view_of(session, uri_of(params))
    if view.kind in (DocumentKind.SMITHY, DocumentKind.OTHER):
        return None
    cursor = find_cursor(view.text, view.open.offset(params.get("position")))
    found = property_at_cursor(view, cursor)
    if found is not None and view.schema is not None:
        own = view.kind is DocumentKind.SCHEMA and cursor.in_key and cursor.path == found.path
        places = _models(view, found.path) if own else []
        return places or [view.place(view.schema, found.path, key=True)]
    match view.kind:
        case DocumentKind.SCHEMA:
            return _in_schema(view, cursor)
        case DocumentKind.TEMPLATE | DocumentKind.FRAGMENT:
            return _in_template(view, cursor)
        case DocumentKind.CONFIG | DocumentKind.FUNCTIONS:
            return _in_configuration(view, cursor)
        case _:
            return None


def answer_references(session: EditorSession, params: dict[str, Any], check: Callable[[], None]) -> Any:
    """Return every place that names the property that the cursor is on, its models too; null where it is on none."""
    view = view_of(session, uri_of(params))
    cursor = find_cursor(view.text, view.open.offset(params.get("position")))
    found = property_at_cursor(view, cursor)
    if found is None:
        return None
    context = params.get("context")
    declaration = not isinstance(context, dict) or context.get("includeDeclaration") is not False
    places = []
    for each in list_occurrences(view, found.path):
        check()
        if declaration or each.path != found.path:
            places.append(view.place(each.document, each.path, key=each.key))
    return places + _models(view, found.path)


def _in_schema(view: DocumentView, cursor: CursorPlace) -> Any:
    if view.document is None:
        return None
    if cursor.path[-1:] == ("$ref",) and not cursor.in_key:
        tokens = referred(cursor.word)
        known = tokens is not None and get_at(view.value, tokens) is not None
        return [view.place(view.document, tokens, key=True)] if known and tokens is not None else None
    if cursor.path[:1] == ("handlers",) and len(cursor.path) == 2 and view.project is not None:
        place = handler_place(view.project, str(cursor.key))
        return None if place is None else [_code(view, *place)]
    return None


def _in_template(view: DocumentView, cursor: CursorPlace) -> Any:
    path = cursor.path
    if len(path) >= 3 and path[0] == "Resources":
        named = get_at(view.value, (*path[:2], "Type"))
        if isinstance(named, str) and (path[2] == "Type" or path[2:3] == ("Properties",)):
            found = _type_place(view, named, path[3:] if cursor.in_key else ())
            if found is not None and (path[2] == "Type" or cursor.in_key):
                return [found]
    name = cursor.word.rpartition(" ")[2].partition(".")[0]
    for section in ("Resources", "Parameters", "Conditions", "Mappings"):
        members = get_at(view.value, (section,))
        if isinstance(members, dict) and name in members and view.document is not None:
            return [view.place(view.document, (section, name), key=True)]
    return None


def _type_place(view: DocumentView, name: str, path: tuple[str | int, ...]) -> dict[str, Any] | None:
    for project in projects(view):
        if project.type_name == name and (fragment := module_fragment(project)) is not None:
            return _start(fragment)
    document = find_type_document(view, name)
    if document is None:
        return None
    tokens: tuple[str | int, ...] = ("properties", *path[:1]) if path else ("typeName",)
    return view.place(document, tokens, key=True)


def _in_configuration(view: DocumentView, cursor: CursorPlace) -> Any:
    project, last = view.project, cursor.path[-1:]
    if project is None or cursor.in_key:
        return None
    if last == ("typeName",):
        return [_start(project.schema_path)] if project.schema_path.is_file() else None
    if last in (("entrypoint",), ("testEntrypoint",), ("Handler",)):
        module, _, function = cursor.word.rpartition(".")
        file = project.root / "src" / Path(*module.split("."))
        code = as_document(file.with_suffix(".py"))
        at = max(code.text.find(f"{function} ="), code.text.find(f"def {function}("), 0)
        return [_code(view, Path(code.name), at, at)] if code.text else None
    return None


def _models(view: DocumentView, declared: tuple[str | int, ...]) -> list[dict[str, Any]]:
    places = model_places(view.project, declared) if view.project is not None else []
    return [_code(view, *place) for place in places]


def _code(view: DocumentView, path: Path, start: int, end: int) -> dict[str, Any]:
    index = PositionIndex(as_document(path).text, view.session.encoding)
    return {"uri": address_of(path), "range": index.range(start, end)}


def _start(path: Path) -> dict[str, Any]:
    begin = {"line": 0, "character": 0}
    return {"uri": address_of(path), "range": {"start": begin, "end": begin}}
