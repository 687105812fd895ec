"""Completion: what may be written at the cursor."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from formwork.editor.features.suggestions import Suggestion
from formwork.editor.kinds import DocumentKind
from formwork.editor.protocol.abilities import ClientAbilities
from formwork.editor.protocol.requests import uri_of
from formwork.editor.reading.cursor import CursorPlace, find_cursor
from formwork.editor.reading.view import DocumentView, view_of
from formwork.editor.session import EditorSession

_MOST_ITEMS = 400


def answer_completion(session: EditorSession, params: dict[str, Any], check: Callable[[], None]) -> Any:
    """Return what may be written at a position; null for documents that the server knows nothing of."""
    view = view_of(session, uri_of(params))
    offset = view.open.offset(params.get("position"))
    if view.kind in (DocumentKind.SMITHY, DocumentKind.OTHER, DocumentKind.TARGETS):
        return None
    cursor = find_cursor(view.text, offset)
    check()
    found: dict[str, Suggestion] = {}
    for each in _suggest(view, cursor):
        if _begins(each, cursor.typed):
            found.setdefault(json.dumps(each.value), each)
    span = view.index.range(cursor.start, cursor.end)
    shown = islice(found.values(), _MOST_ITEMS)
    items = [_item(session.client, span, cursor, each, number) for number, each in enumerate(shown)]
    return {"isIncomplete": len(found) > _MOST_ITEMS, "items": items}


def _begins(suggestion: Suggestion, typed: str) -> bool:
    """Whether what was typed is in a suggestion: clients sort, and filter further."""
    return not typed or typed.lower() in str(suggestion.value).lower() or len(typed) < 2


def _suggest(view: DocumentView, cursor: CursorPlace) -> Iterator[Suggestion]:
    match view.kind:
        case DocumentKind.SCHEMA:
            from formwork.editor.features.schema_suggestions import suggest_in_schema  # noqa: PLC0415 - on first use

            return suggest_in_schema(view, cursor)
        case DocumentKind.TEMPLATE | DocumentKind.FRAGMENT | DocumentKind.FUNCTIONS:
            from formwork.editor.features.template_suggestions import suggest_in_template  # noqa: PLC0415 - as above

            return suggest_in_template(view, cursor)
        case _:
            from formwork.editor.features.data_suggestions import suggest_in_data  # noqa: PLC0415 - as above

            return suggest_in_data(view, cursor)


def _item(
    client: ClientAbilities, span: dict[str, Any], cursor: CursorPlace, suggestion: Suggestion, number: int
) -> dict[str, Any]:
    text = _written(cursor, suggestion.value)
    item: dict[str, Any] = {
        "label": str(suggestion.value) if isinstance(suggestion.value, str) else json.dumps(suggestion.value),
        "kind": suggestion.kind,
        "sortText": f"{number:05}",
        "filterText": text,
        "textEdit": {"range": span, "newText": text},
    }
    if suggestion.detail:
        item["detail"] = suggestion.detail
    if suggestion.text:
        item["documentation"] = client.documentation(suggestion.text)
    return item


def _written(cursor: CursorPlace, value: Any) -> str:
    """Return a key or a value in the language and the quotes of the place."""
    plain = cursor.style != "json" and isinstance(value, str) and _is_plain(value)
    if plain and cursor.quote != "'":
        text = f'"{value}"' if cursor.quote else value
    elif cursor.quote == "'" and isinstance(value, str):
        text = "'" + value.replace("'", "''") + "'"
    else:
        text = json.dumps(value, ensure_ascii=False)
    return f"{text}: " if cursor.in_key and not cursor.followed else text


def _is_plain(value: str) -> bool:
    """Whether a text may stand in YAML without quotes."""
    return value.replace("::", "").replace("/", "").replace(".", "").replace("$", "").replace("_", "").replace(
        "-", ""
    ).isalnum() and not value[:1].isdigit() and value[:1] not in "-.$" and value.lower() not in (
        *("true", "false", "null", "yes", "no", "on", "off", "y", "n"),
    )  # fmt: skip
