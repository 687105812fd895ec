"""Documents parsed once for the check of a text and all that is asked about it."""

import threading
from typing import NamedTuple

from formwork.documents import Document, DocumentFormat, parse_document

_MOST = 8  # documents that are remembered


class _Asked(NamedTuple):
    """How a document is parsed, but for its text: of each only the last text is remembered."""

    name: str
    format: DocumentFormat | None
    short_tags: bool


_parsed: dict[_Asked, Document] = {}
_lock = threading.Lock()


def parse_once(
    text: str, name: str, document_format: DocumentFormat | None = None, *, short_tags: bool = False
) -> Document:
    """Return the document of a text, the same one until it is asked for with another text.

    Raises:
        BadInputError: it can't be parsed.
    """
    asked = _Asked(name, document_format, short_tags)
    with _lock:
        found = _parsed.get(asked)
    if found is not None and found.text == text.removeprefix("\ufeff"):
        return found
    document = parse_document(text, name=name, format=document_format, short_tags=short_tags)
    with _lock:
        _parsed.pop(asked, None)
        _parsed[asked] = document
        while len(_parsed) > _MOST:
            del _parsed[next(iter(_parsed))]
    return document
