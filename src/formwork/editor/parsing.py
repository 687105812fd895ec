"""Documents parsed once for the check of a text and all that is asked about it."""

from functools import lru_cache

from formwork.documents import Document, DocumentFormat, parse_document


def parse_once(
    text: str, name: str, document_format: DocumentFormat | None = None, *, short_tags: bool = False
) -> Document:
    """Return the document of a text, the same one for the same arguments while few others are open.

    Raises:
        BadInputError: it can't be parsed.
    """
    return _parsed(text, name, document_format, short_tags)


@lru_cache(maxsize=8)
def _parsed(text: str, name: str, document_format: DocumentFormat | None, short_tags: bool) -> Document:  # noqa: FBT001 - the cache's key
    return parse_document(text, name=name, format=document_format, short_tags=short_tags)
