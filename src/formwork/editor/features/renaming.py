"""Renames of a property: in the schema, its pointers and transforms, inputs, overrides, and generated documentation."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError, get_at
from formwork.documents import Document, parse_document
from formwork.editor.protocol.addresses import address_of
from formwork.editor.protocol.positions import PositionIndex
from formwork.editor.protocol.requests import uri_of
from formwork.editor.protocol.text_edits import minimal_edits
from formwork.editor.protocol.wire import ErrorCode, ProtocolError
from formwork.editor.reading.cursor import find_cursor
from formwork.editor.reading.occurrences import Occurrence, list_occurrences, property_at_cursor
from formwork.editor.reading.view import DocumentView, view_of
from formwork.editor.session import EditorSession
from formwork.extensions import ExtensionKind
from formwork.project.project import Project

_NAME = re.compile(r"[A-Za-z0-9]{1,64}", re.ASCII)  # the meta-schema's propertyName


def answer_prepare_rename(session: EditorSession, params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Return the word that a rename would replace; null where the cursor is on no property."""
    view = view_of(session, uri_of(params))
    cursor = find_cursor(view.text, view.open.offset(params.get("position")))
    found = property_at_cursor(view, cursor)
    if found is None or view.document is None:
        return None
    name = str(found.path[-1])
    at = view.text.rfind(name, cursor.start, cursor.end)
    if at < 0:
        return None
    span = view.index.range(at, at + len(name))
    return {"range": span, "placeholder": name}


def answer_rename(session: EditorSession, params: dict[str, Any], check: Callable[[], None]) -> Any:
    """Return the edits that rename the property that the cursor is on; null where it is on none.

    Raises:
        ProtocolError: the new name is not one, or is taken; or the schema is broken.
    """
    view = view_of(session, uri_of(params))
    cursor = find_cursor(view.text, view.open.offset(params.get("position")))
    found = property_at_cursor(view, cursor)
    if found is None:
        return None
    new = params.get("newName")
    declared, old = found.path, str(found.path[-1])
    _expect_name(view, declared, new)
    assert isinstance(new, str)
    changed: dict[str, tuple[Document, list[tuple[int, int, str]]]] = {}
    for each in list_occurrences(view, declared):
        check()
        document, edits = changed.setdefault(each.document.name, (each.document, []))
        edits.append(_edit(view, document, each, old, new))
    texts = {name: (document, _applied(document.text, edits)) for name, (document, edits) in changed.items()}
    result = {_address(view, document): _edits(view, document.text, text) for document, text in texts.values()}
    return {"changes": result | _docs(view, texts)}


def _expect_name(view: DocumentView, declared: tuple[str | int, ...], new: Any) -> None:
    if view.document is None or view.schema is None or not view.schema.text:
        raise ProtocolError(ErrorCode.REQUEST_FAILED, "the document has errors of syntax: fix them first")
    if not isinstance(new, str) or not _NAME.fullmatch(new):
        raise ProtocolError(ErrorCode.REQUEST_FAILED, "a property's name is 1 to 64 letters and digits")
    siblings = get_at(view.schema.value, declared[:-1], {})
    if new in siblings and new != declared[-1]:
        raise ProtocolError(ErrorCode.REQUEST_FAILED, f'"{new}" is a property already')


def _edit(view: DocumentView, document: Document, each: Occurrence, old: str, new: str) -> tuple[int, int, str]:
    location = document.locate(each.path, key=each.key)
    index = PositionIndex(document.text, view.session.encoding)
    assert location.start is not None
    assert location.end is not None
    start, end = index.offset_of(location.start), index.offset_of(location.end)
    value = each.path[-1] if each.key else get_at(document.value, each.path)
    return start, end, _quoted(document.text[start:end], each.renamed(str(value), old, new))


def _quoted(written: str, text: str) -> str:
    """Return a text in the quotes of what is written; a pointer and a name need none in YAML."""
    if written.startswith('"'):
        return json.dumps(text, ensure_ascii=False)
    return "'" + text.replace("'", "''") + "'" if written.startswith("'") else text


def _applied(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(set(edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _address(view: DocumentView, document: Document) -> str:
    path = Path(document.name)
    own = view.path is not None and path == view.path
    return view.open.uri if own or not path.is_absolute() else address_of(path)


def _edits(view: DocumentView, before: str, after: str) -> list[dict[str, Any]]:
    return minimal_edits(before, after, PositionIndex(before, view.session.encoding))


def _docs(view: DocumentView, texts: dict[str, tuple[Document, str]]) -> dict[str, list[dict[str, Any]]]:
    """Return the edits of the pages that `cfn generate` writes; of a page that differs from what it writes, none."""
    project, schema = view.project, view.schema
    if project is None or schema is None or project.kind is not ExtensionKind.RESOURCE or schema.name not in texts:
        return {}
    before, after = (_pages(project, schema.name, text) for text in (schema.text, texts[schema.name][1]))
    edits: dict[str, list[dict[str, Any]]] = {}
    for name, page in before.items():
        file = project.root / name
        if name in after and page != after[name] and file.is_file():
            saved = file.read_text(encoding="utf-8")
            if saved == page:
                edits[address_of(file)] = _edits(view, page, after[name])
    return edits


def _pages(project: Project, name: str, text: str) -> dict[str, str]:
    from formwork.generate.docs import plan_docs  # noqa: PLC0415 - on the first rename
    from formwork.languages.catalogue import expect_generator  # noqa: PLC0415 - as above
    from formwork.model.build import build_type_model  # noqa: PLC0415 - as above
    from formwork.schema import load_resource_schema  # noqa: PLC0415 - as above

    try:
        loaded = load_resource_schema(parse_document(text, name=name))
        reserved = expect_generator(project.language).reserved_model_names
    except BadInputError:
        return {}
    if loaded.schema is None:
        return {}
    types = build_type_model(loaded.schema, kind=project.kind, reserved=reserved)
    return {page: each.text for page, each in plan_docs(types).items()}
