"""The place of a cursor in a document: the path to it, and the word that it is in."""

from formwork.editor.reading.json_cursor import find_json_cursor
from formwork.editor.reading.place import CursorPlace
from formwork.editor.reading.yaml_cursor import find_yaml_cursor

__all__ = ["CursorPlace", "find_cursor"]


def find_cursor(text: str, offset: int) -> CursorPlace:
    """Return the place at `offset` of a text in JSON or YAML, whether or not it can be parsed."""
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        return find_json_cursor(text, offset)
    return find_yaml_cursor(text, offset)
