"""What a caller gives as a document: an open one, a value, a text, the bytes of a file, or the path of a file.

A `str` is always text (docs/decisions/1337).
"""

import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from formwork.documents.document import Document, DocumentFormat
from formwork.documents.load import load_document, parse_document, read_stream

# A str is always the text of a document, never a path: paths are os.PathLike, such as pathlib.Path.
DocumentSource: TypeAlias = Document | Mapping[str, Any] | str | bytes | os.PathLike[str]


def open_source(source: DocumentSource, *, name: str = "<text>") -> Document:
    """Return the document that `source` is, contains or names; `name` stands for its file in diagnostics.

    Raises:
        BadInputError: it is not a document; see `load_document`.
        TypeError: it is of another type, or a value that JSON can't express.
    """
    match source:
        case Document():
            return source
        case os.PathLike():
            return load_document(Path(source))
        case str():
            return parse_document(source, name=name)
        case bytes():
            return parse_document(read_stream(io.BytesIO(source), name=name), name=name)
        case Mapping():
            return parse_document(_render(source), name=name, format=DocumentFormat.JSON)
    raise TypeError(f"a document is a str, bytes, a mapping, a path or a Document, not {type(source).__name__}")


def _render(value: Mapping[str, Any]) -> str:
    try:
        return json.dumps(value, indent=4, ensure_ascii=False, default=_plain)
    except (ValueError, RecursionError) as error:  # a value that contains itself
        raise TypeError(f"the value can't be written as JSON: {error}") from error


def _plain(value: object) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"JSON has no {type(value).__name__}")
