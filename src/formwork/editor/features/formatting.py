"""The layout of Smithy models, as `cfn smithy format` writes it."""

from collections.abc import Callable
from typing import Any

from formwork.editor.protocol.addresses import path_of
from formwork.editor.protocol.requests import uri_of
from formwork.editor.protocol.text_edits import minimal_edits
from formwork.editor.session import EditorSession


def answer_formatting(session: EditorSession, params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Return the edits that lay a Smithy model out; none where it has errors of syntax, null for other documents."""
    text = session.expect(uri_of(params))
    path = path_of(text.uri)
    if text.language != "smithy" and (path is None or path.suffix != ".smithy"):
        return None
    from formwork.smithy.idl.formatter import format_idl  # noqa: PLC0415 - only for models
    from formwork.smithy.idl.parser import parse_idl  # noqa: PLC0415 - as above

    if any(each.breaks_model for each in parse_idl(text.text, name="model.smithy").events):
        return []
    return minimal_edits(text.text, format_idl(text.text), text.index)
