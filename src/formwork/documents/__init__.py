"""Texts to values with places: JSON, YAML, CloudFormation's short tags; and `$ref` inside a document.

Whatever the input, the answer is a `Document` or a `BadInputError` that names the place.
"""

from formwork.documents.bounds import MAX_ALIASES, MAX_BYTES, MAX_DEPTH, MAX_NODES
from formwork.documents.document import Document, DocumentFormat, Json
from formwork.documents.load import load_document, parse_document, read_stream, read_text
from formwork.documents.sources import DocumentSource, open_source

__all__ = [
    "MAX_ALIASES",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NODES",
    "Document",
    "DocumentFormat",
    "DocumentSource",
    "Json",
    "load_document",
    "open_source",
    "parse_document",
    "read_stream",
    "read_text",
]
