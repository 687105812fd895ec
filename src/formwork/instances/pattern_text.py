"""Texts that fit a pattern of Python's `re`: the parsed pattern is turned into functions once, and they write the text.

Repeats are kept short, and letters and digits are preferred. What a look-around demands is left to chance: the caller
checks every text against the pattern. The same random source gives the same text.
"""

import functools
import re._parser as sre_parse  # type: ignore[import-not-found] # the parser has no other name
import warnings
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, TypeAlias

LONGEST = 3000  # longer strings prove nothing more and make reports unreadable
_FRIENDLY = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_PRINTABLE = "".join(chr(code) for code in range(0x20, 0x7F))
_CATEGORIES = {
    "category_digit": "0123456789",
    "category_word": _FRIENDLY + "_",
    "category_space": " ",
    "category_not_digit": "abcdefghijklmnopqrstuvwxyz",
    "category_not_word": "-.",
    "category_not_space": _FRIENDLY,
}


class PatternText:
    """Writes texts of patterns from one random source.

    `extra` is how many repeats beyond the least one may take; `greedy` repeats as often as `room` allows instead, and
    `room` is how many more characters optional repeats may add.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.extra = 0
        self.greedy = False
        self.room = LONGEST
        self.groups: dict[int, str] = {}

    def text(self, pattern: str) -> str:
        """Return a text of the pattern.

        Raises:
            KeyError: the pattern has a construct that has no texts of its own.
            IndexError: there is no letter that a set allows.
            RecursionError, OverflowError: the pattern is nested too deep, or counts too far.
        """
        self.groups.clear()
        return _written(pattern)(self)

    def times(self, least: int, most: int) -> int:
        """Return how often something is repeated."""
        most = min(most, least + (self.room if self.greedy else self.extra))
        chosen = self.random.randint(least, most) if most > least and not self.greedy else most
        return min(chosen, LONGEST)


def letters_from(random: Random, letters: Sequence[str], count: int) -> str:
    """Return `count` random letters of `letters`.

    Raises:
        IndexError: there are no letters.
    """
    return "".join(random.choices(letters, k=count))


_Piece: TypeAlias = Callable[[PatternText], str]


@functools.lru_cache(maxsize=1024)
def _written(pattern: str) -> _Piece:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of what Java reads as set operations
        return _sequence(sre_parse.parse(pattern))


def _sequence(states: Iterable[Any]) -> _Piece:
    pieces = [_piece(opcode.name.lower(), value) for opcode, value in states]
    if len(pieces) == 1:
        return pieces[0]
    return lambda made: "".join([each(made) for each in pieces])


def _piece(opcode: str, value: Any) -> _Piece:  # noqa: C901, PLR0911 - one return a construct
    match opcode:
        case "literal":
            return _constant(chr(value))
        case "at" | "assert" | "assert_not":
            return _constant("")
        case "in":
            return _letter(_letters_of(tuple(value)))
        case "any":
            return _letter(_letters_in((), negate=True))
        case "not_literal":
            return _letter(_letters_in(((value, value),), negate=True))
        case "category":
            letters = _CATEGORIES[value.name.lower()]
            return lambda made: letters_from(made.random, letters, 1)
        case "branch":
            branches = [_sequence(each) for each in value[1]]
            return lambda made: made.random.choice(branches)(made)
        case "subpattern":
            return _group(value[0], _sequence(value[-1]))
        case "groupref":
            return lambda made: made.groups.get(value, "")
        case "atomic_group":
            return _sequence(value)
        case "min_repeat" | "max_repeat" | "possessive_repeat":
            return _repeat(*value)
        case _:
            return functools.partial(_impossible, opcode)


def _constant(text: str) -> _Piece:
    return lambda _made: text


def _letter(letters: str) -> _Piece:
    size, bits = len(letters), len(letters).bit_length()

    def write(made: PatternText) -> str:
        made.room -= 1
        if not size:
            raise IndexError("no letters to choose from")
        while (number := made.random.getrandbits(bits)) >= size:
            pass
        return letters[number]

    return write


def _group(number: int | None, inner: _Piece) -> _Piece:
    if not number:
        return inner

    def write(made: PatternText) -> str:
        text = made.groups[number] = inner(made)
        return text

    return write


def _repeat(least: int, most: int, states: Any) -> _Piece:
    if len(states) == 1 and states[0][0].name.lower() == "in":
        return _repeat_letter(least, most, _letters_of(tuple(states[0][1])))
    inner = _sequence(states)

    def write(made: PatternText) -> str:
        texts: list[str] = []
        for turn in range(made.times(least, most)):
            if turn >= least and made.room <= 0:
                break
            texts.append(inner(made))
        return "".join(texts)

    return write


def _repeat_letter(least: int, most: int, letters: str) -> _Piece:
    """Return the commonest repeat, all its letters at once: as `_repeat` does it one by one."""

    def write(made: PatternText) -> str:
        count = min(made.times(least, most), max(least, made.room))
        made.room -= count
        return letters_from(made.random, letters, count) if count else ""

    return write


def _impossible(opcode: str, _made: PatternText) -> str:
    raise KeyError(opcode)


@functools.lru_cache(maxsize=2048)
def _letters_of(members: tuple[Any, ...]) -> str:
    """The letters to choose from in a set (`[a-z_]`), as the parser has it; none where it has none that we know."""
    negate, ranges = False, []
    for opcode, argument in members:
        match opcode.name.lower():
            case "negate":
                negate = True
            case "literal":
                ranges.append((argument, argument))
            case "range":
                ranges.append(argument)
            case "category" if (known := _CATEGORIES.get(argument.name.lower())) is not None:
                ranges += [(ord(letter), ord(letter)) for letter in known]
            case _:
                return ""
    return _letters_in(tuple(ranges), negate=negate)


@functools.lru_cache(maxsize=2048)
def _letters_in(ranges: tuple[tuple[int, int], ...], *, negate: bool) -> str:
    def inside(letter: str) -> bool:
        return any(low <= ord(letter) <= high for low, high in ranges) is not negate

    for alphabet in (_FRIENDLY, _PRINTABLE):
        letters = "".join(letter for letter in alphabet if inside(letter))
        if letters:
            return letters
    if negate:
        return next((chr(code) for code in range(0xA1, 0x2000) if inside(chr(code))), "")
    return "".join(chr(code) for low, high in ranges for code in range(low, min(high, low + 50) + 1))
