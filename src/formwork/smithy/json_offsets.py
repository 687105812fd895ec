"""Positions of values in a JSON text, computed only for those that are asked for."""

import re

# Strings, punctuation, and anything else that isn't blank, in one pass.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL)
# /shapes/<id>/members/<name>/traits/<id> is the deepest place that events speak of.
_DEPTH = 6

Pointer = tuple[str | int, ...]

# Ends the pointer of the last of several values with one key.
REPEATED = "\0repeated"


# The text asked about last, with the offsets of its values: events come in bunches a file.
_LAST: list[tuple[str, dict[Pointer, int]]] = []


def locate_pointer(text: str, pointer: Pointer) -> int | None:
    """The offset where the value at `pointer` starts in the JSON `text`, None where it isn't there or too deep."""
    if not _LAST or _LAST[0][0] is not text:
        _LAST[:] = [(text, _index(text))]
    return _LAST[0][1].get(pointer[:_DEPTH])


def _index(text: str) -> dict[Pointer, int]:
    offsets: dict[Pointer, int] = {}
    path: list[str | int] = []
    is_object: list[bool] = []
    expect_key = False
    for found in _TOKEN.finditer(text):
        lexeme = found[0]
        match lexeme:
            case ",":
                expect_key = bool(is_object) and is_object[-1]
                if is_object and not expect_key:
                    path[-1] = int(path[-1]) + 1
            case ":":
                pass
            case "}" | "]":
                if is_object:
                    is_object.pop()
                    path.pop()
                expect_key = False
            case _ if expect_key:
                path[-1] = lexeme[1:-1]
                expect_key = False
            case _:
                _record(offsets, tuple(path), found.start())
                if lexeme in "{[":
                    expect_key = lexeme == "{"
                    is_object.append(expect_key)
                    path.append("" if expect_key else 0)
    return offsets


def _record(offsets: dict[Pointer, int], here: Pointer, offset: int) -> None:
    if len(here) > _DEPTH:
        return
    if offsets.setdefault(here, offset) != offset:
        offsets[(*here, REPEATED)] = offset
