"""Small changes to a document of either format, which leave the rest of its text as it is."""

from collections.abc import Sequence

from formwork.documents.document import Document, DocumentFormat
from formwork.documents.json_edit import Edit, edit_json
from formwork.documents.load import parse_document
from formwork.documents.yaml_edit import edit_yaml


def edit_document(document: Document, edits: Sequence[Edit]) -> Document | None:
    """Return `document` with all `edits` applied; None if one can't be applied without changing other parts."""
    if document.format is DocumentFormat.YAML:
        return edit_yaml(document, edits)
    return parse_document(edit_json(document.text, edits), name=document.name)
