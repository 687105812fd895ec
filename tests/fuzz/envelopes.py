"""Inputs with parts: a JSON object that names them, or, where it is none, bytes that are a part by themselves."""

import json


def read_envelope(data, key):
    """The object in `data` if it is one with `key`, else None."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and key in value else None


def text_of(value):
    """A part: a text as it is, any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def whole_text(value):
    """A part as documents can have it: without halves of surrogate pairs, which they refuse."""
    return text_of(value).encode("utf-8", "replace").decode()


def bytes_of(value):
    """A part as the bytes of a file; halves of surrogate pairs that stand for bytes become these."""
    try:
        return text_of(value).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text_of(value).encode("utf-8", "surrogatepass")
