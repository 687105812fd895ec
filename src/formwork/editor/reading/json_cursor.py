"""The cursor in a JSON text, by its tokens up to the cursor: what follows may be anything."""

import re
from collections.abc import Callable
from json import JSONDecoder
from typing import Any

from formwork.editor.reading.place import CursorPlace, Tokens

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+')
_STRUCTURE = frozenset("{}[],:")
_COLON = re.compile(r"[ \t\r\n]*:")
_MOST_TRIES = 16  # to skip what holds the cursor or is broken: each reads to its end
_SCAN: Callable[[str, int], tuple[Any, int]] = JSONDecoder().scan_once  # type: ignore[attr-defined]
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class _Frame:
    """An open object or array: `key` is the current member's, `value` whether its colon was seen."""

    __slots__ = ("is_object", "key", "keys", "value")

    def __init__(self, *, is_object: bool) -> None:
        self.is_object = is_object
        self.key: str | int = "" if is_object else 0
        self.value = not is_object
        self.keys: list[str] = []


def find_json_cursor(text: str, offset: int, start: int = 0, base: Tokens = ()) -> CursorPlace:
    """Return the place at `offset`; the JSON begins at `start`, and what it is has the path `base`."""
    frames: list[_Frame] = []
    word = None
    at, tries = start, _MOST_TRIES
    while (token := _TOKEN.search(text, at)) is not None and token.start() < offset:
        at = token.end()
        if at > offset or (at == offset and _is_open_word(token[0])):
            word = token
            break
        first = text[token.start()]
        if frames and tries and first in "{[":
            behind = _skip(text, token.start(), offset)
            if behind is not None:
                at = behind
                continue
            tries -= 1
        _follow(frames, token[0], first)
    return _place(text, offset, frames, word, base)


def _skip(text: str, start: int, offset: int) -> int | None:
    """Return where the object or array at `start` ends, if it is whole and ends before the cursor: by C's scanner."""
    try:
        end: int = _SCAN(text, start)[1]
    except (StopIteration, ValueError, RecursionError):
        return None
    return end if end <= offset else None


def _is_open_word(token: str) -> bool:
    """Whether a cursor behind `token` is still in it: a string without its end, or a bare word."""
    return token not in _STRUCTURE and not (token[0] == '"' and len(token) > 1 and token[-1] == '"' and _closed(token))


def _closed(token: str) -> bool:
    return len(token) - len(token[:-1].rstrip("\\")) - 1 & 1 == 0 if token[:-1].endswith("\\") else True


def _follow(frames: list[_Frame], token: str, first: str) -> None:
    top = frames[-1] if frames else None
    if first in "{[":
        frames.append(_Frame(is_object=first == "{"))
    elif first in "}]":
        if frames:
            frames.pop()
    elif top is None:
        return
    elif first == ":":
        top.value = True
    elif first == ",":
        if isinstance(top.key, int):
            top.key += 1
        else:
            top.keys.append(top.key)
            top.key, top.value = "", False
    elif top.is_object and not top.value:
        top.key = unescape(token) if first == '"' else token


def _place(text: str, offset: int, frames: list[_Frame], word: re.Match[str] | None, base: Tokens) -> CursorPlace:
    holder = (*base, *(frame.key for frame in frames[:-1]))
    top = frames[-1] if frames else None
    in_key = top is not None and not top.value
    start, end = word.span() if word is not None else (offset, offset)
    written = word[0] if word is not None else ""
    quote = '"' if written.startswith('"') else ""
    whole = unescape(written) if quote else written
    typed = unescape(text[start:offset]) if quote else text[start:offset]
    key: str | int = "" if top is None else whole if in_key else top.key
    followed = _COLON.match(text, end) is not None
    if top is None:
        holder, key = base[:-1], base[-1] if base else ""
    siblings = frozenset(top.keys) if top is not None else frozenset()
    return CursorPlace(holder, key, in_key, start, end, whole, typed, quote, "json", followed, siblings)


def unescape(token: str) -> str:
    """Return the text of a string token, with or without its end quote."""
    inner = token[1:]
    if inner.endswith('"') and _closed(inner):
        inner = inner[:-1]
    if "\\" not in inner:
        return inner
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _ESCAPED.get(found[2], found[2]), inner)
