"""Code actions: the fixes that `cfn validate --fix` makes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from formwork.diagnostics import Diagnostic
from formwork.documents import Document, DocumentFormat
from formwork.documents.json_edit import Edit, edit_json
from formwork.editor.kinds import DocumentKind
from formwork.editor.protocol.requests import uri_of
from formwork.editor.protocol.text_edits import minimal_edits
from formwork.editor.reading.view import DocumentView, view_of
from formwork.editor.rendering import render_diagnostics
from formwork.editor.session import EditorSession
from formwork.schema import validate_schema
from formwork.schema.fixes import fix_schema, list_edits
from formwork.schema.folder_references import FolderReferences

_FIX, _FIX_ALL = "quickfix", "source.fixAll"


def answer_code_action(session: EditorSession, params: dict[str, Any], check: Callable[[], None]) -> Any:
    """Return the fixes of what is found in a range of a schema, and one action for all; null elsewhere.

    A client that takes only commands in place of edits gets null as well.
    """
    view = view_of(session, uri_of(params))
    document = view.document
    if view.kind is not DocumentKind.SCHEMA or document is None or not session.client.takes_code_actions:
        return None
    wanted = _wanted(params)
    actions: list[dict[str, Any]] = []
    if _FIX in wanted:
        for each in _found_in(view, document, params.get("range")):
            check()
            actions += _fixes(view, document, each)
    if _FIX_ALL in wanted:
        fixed = fix_schema(document, kind=view.extension)
        if fixed.fixed:
            actions.append(_action(view, "Fix all that is certain (cfn validate --fix)", _FIX_ALL, fixed.text))
    return actions


def _wanted(params: dict[str, Any]) -> set[str]:
    context = params.get("context")
    only = context.get("only") if isinstance(context, dict) else None
    if not isinstance(only, list):
        return {_FIX, _FIX_ALL}
    return {kind for kind in (_FIX, _FIX_ALL) if any(kind == each or kind.startswith(f"{each}.") for each in only)}


def _found_in(view: DocumentView, document: Document, span: Any) -> Iterator[Diagnostic]:
    """Yield what the check of a schema finds in a range; what was published may be of an older text."""
    start = view.open.offset(span.get("start") if isinstance(span, dict) else None)
    end = view.open.offset(span.get("end") if isinstance(span, dict) else None)
    remote = view.session.dependencies.remote
    references = FolderReferences(view.path.parent if view.path is not None else Path(), remote=remote)
    for each in validate_schema(document, kind=view.extension, references=references):
        location = each.location
        if location.start is None:
            continue
        first = view.index.offset_of(location.start)
        last = view.index.offset_of(location.end) if location.end is not None else first
        if first <= end and start <= last:
            yield each


def _fixes(view: DocumentView, document: Document, diagnostic: Diagnostic) -> Iterator[dict[str, Any]]:
    edits = list_edits(document, diagnostic)
    text = _edited(document, edits) if edits else None
    if text is not None and text != document.text:
        action = _action(view, f"Fix: {diagnostic.hint or diagnostic.expected or diagnostic.message}", _FIX, text)
        yield {**action, "diagnostics": render_diagnostics([diagnostic], view.index), "isPreferred": True}


def _edited(document: Document, edits: list[Edit]) -> str | None:
    if document.format is DocumentFormat.YAML:
        from formwork.documents.yaml_edit import edit_yaml  # noqa: PLC0415 - YAML only

        changed = edit_yaml(document, edits)
        return None if changed is None else changed.text
    return edit_json(document.text, edits)


def _action(view: DocumentView, title: str, kind: str, text: str) -> dict[str, Any]:
    before = view.text.removeprefix("\ufeff")
    edits = minimal_edits(view.text, view.text[: len(view.text) - len(before)] + text, view.index)
    edit = view.session.client.workspace_edit(view.open.uri, view.open.version, edits)
    return {"title": title, "kind": kind, "edit": edit}
