"""The texts of open documents, changed as the client reports its edits."""

from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.documents import MAX_BYTES
from formwork.editor.protocol.positions import PositionEncoding, PositionIndex
from formwork.editor.protocol.wire import ErrorCode, ProtocolError


class OpenText(Struct, frozen=True, dict=True):
    """One version of an open document; a change makes another value."""

    uri: str
    language: str
    version: int
    text: str
    encoding: PositionEncoding

    @cached_property
    def index(self) -> PositionIndex:
        """The positions of the text."""
        return PositionIndex(self.text, self.encoding)

    def changed(self, version: int, changes: Any) -> "OpenText":
        """Return the document after `changes`, made in their order; each is of a range, or of the whole text.

        Raises:
            ProtocolError: a change is malformed.
        """
        if not isinstance(changes, list):
            raise ProtocolError(ErrorCode.INVALID_PARAMS, "contentChanges is not a list")
        current = self
        for change in changes:
            text = change.get("text") if isinstance(change, dict) else None
            if not isinstance(text, str):
                raise ProtocolError(ErrorCode.INVALID_PARAMS, "a change has no text")
            current = replace(current, text=_applied(current, change.get("range"), text))
        return replace(current, version=version)

    def offset(self, position: Any) -> int:
        """Return the offset of a position of the protocol.

        Raises:
            ProtocolError: it is not a position.
        """
        match position:
            case {"line": int(line), "character": int(character)}:
                return self.index.offset(line, character)
            case _:
                raise ProtocolError(ErrorCode.INVALID_PARAMS, "the position is not a line and a character")


def _applied(current: OpenText, span: Any, text: str) -> str:
    if span is None:
        return text
    if not isinstance(span, dict):
        raise ProtocolError(ErrorCode.INVALID_PARAMS, "the range of a change is not a range")
    start, end = sorted((current.offset(span.get("start")), current.offset(span.get("end"))))
    changed = current.text[:start] + text + current.text[end:]
    if len(changed) > 4 * MAX_BYTES:  # a client that only ever inserts
        raise ProtocolError(ErrorCode.INVALID_PARAMS, "the document is too large")
    return changed
