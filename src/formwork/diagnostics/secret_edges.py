"""Parts of secrets where a text was cut: at its beginning and end, if it is a piece of a longer one, and at each "…".

What cuts a text before its secrets are known marks the place with an ellipsis.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from formwork.diagnostics.secret_escapes import piece_pattern

CUT = "…"
_SHORTEST = 3  # characters that are taken for a part of a secret
_LONGEST_ESCAPE = 40  # characters for one, with the backslashes of JSON in JSON in JSON
_MOST_REMEMBERED = 4096
# What is left of an escape that was cut.
_REST_OF_AN_ESCAPE = re.compile(r"[\\%&#;0-9A-Fa-fuUx{}]{1,12}")
_HALF_AN_ESCAPE = re.compile(r"[\\%&][\\%&#;\w{}]*\Z")


def edge_spans(text: str, values: Iterable[str], forms: AbstractSet[str], *, cut: bool) -> Iterator[tuple[int, int]]:
    """Yield where one of `values`, escaped or not, or one of `forms`, as it is, is in the text in part.

    A `cut` text begins and ends within a longer one.
    """
    pieces, at = text.split(CUT), 0
    for number, piece in enumerate(pieces):
        if len(piece) >= _SHORTEST:
            begins, ends = cut or number > 0, cut or number < len(pieces) - 1
            yield from ((at + start, at + end) for start, end in _edges(piece, values, forms, begins=begins, ends=ends))
        at += len(piece) + len(CUT)


def _edges(
    text: str, values: Iterable[str], forms: AbstractSet[str], *, begins: bool, ends: bool
) -> Iterator[tuple[int, int]]:
    if ends:
        for each in values:
            yield from _at_the_end(text, each)
        for form in forms:
            starts = _places(text, form[:_SHORTEST], len(text) - len(form) + 1)
            yield from ((at, len(text)) for at in starts if form.startswith(text[at:]))
    if begins:
        for each in values:
            yield from _at_the_beginning(text, each)
        for form in forms:
            starts = _places(form, text[:_SHORTEST], 1)
            yield from ((0, len(form) - at) for at in starts if text.startswith(form[at:]))


def _places(text: str, part: str, begin: int) -> Iterator[int]:
    at = text.find(part, max(0, begin))
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _at_the_end(text: str, value: str) -> Iterator[tuple[int, int]]:
    window = max(0, len(text) - len(value) * _LONGEST_ESCAPE)
    for match in _first(value[:_SHORTEST]).finditer(text, window):
        if _walk(text, match.start(), value) == len(text):
            yield match.start(), len(text)
            return


def _at_the_beginning(text: str, value: str) -> Iterator[tuple[int, int]]:
    half = _REST_OF_AN_ESCAPE.match(text)
    for at in range(half.end() + 1 if half else 1):
        for begin in range(1, len(value) - _SHORTEST + 1):
            end = _walk(text, at, value[begin:])
            if end is not None and end >= at + _SHORTEST:
                yield 0, end
                return


def _walk(text: str, at: int, value: str) -> int | None:
    """Where `value` ends that begins at a place, the end of the text if that comes first; None if it isn't there."""
    for letter in value:
        if at == len(text):
            break
        match = _letter(letter).match(text, at)
        if match is None:
            return len(text) if _HALF_AN_ESCAPE.match(text, at) and len(text) - at < _LONGEST_ESCAPE else None
        at = match.end()
    return at


@functools.lru_cache(_MOST_REMEMBERED)
def _letter(letter: str) -> re.Pattern[str]:
    return re.compile(piece_pattern(letter))


@functools.lru_cache(_MOST_REMEMBERED)
def _first(letters: str) -> re.Pattern[str]:
    return re.compile("".join(map(piece_pattern, letters)))
