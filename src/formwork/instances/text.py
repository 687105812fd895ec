"""Strings: by pattern, by format, by length; always checked against all patterns that apply before they are used.

Texts of patterns start with short repeats, which are lengthened until the length fits.
"""

import functools
import re
import warnings
from collections.abc import Iterator, Sequence
from random import Random

from formwork.instances.errors import DeadEndError
from formwork.instances.formats import FORMATS
from formwork.instances.pattern_text import LONGEST, PatternText, letters_from
from formwork.patterns import PatternError, PatternTimeoutError, compile_pattern, to_python_re

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
_ATTEMPTS = 60
_SERVICE = re.compile(r":([a-z][a-z0-9-]+):")  # the service in a pattern of ARNs
_SMALL = 8
_END_ANCHORS = ("$", r"\z", r"\Z")
_OPEN_ENDS = 3  # with more of `.*` than so many, an engine searches long texts for ages


def _is_found(pattern: str, text: str) -> bool:
    """Return whether the pattern matches somewhere in `text`; never for one that cannot be used."""
    try:
        return compile_pattern(pattern).is_found_in(text)
    except (PatternError, PatternTimeoutError):
        return False


@functools.lru_cache(maxsize=2048)
def _readied(patterns: tuple[str, ...]) -> tuple[list[str], bool, bool]:
    """The patterns that texts can be made from, in Python's dialect; whether one has many open ends; whether none ends.

    What follows the end of a pattern without an anchor there is free.
    """
    generable = [text for text in map(_generable, patterns) if text is not None]
    many_ends = any(each.count(".*") + each.count(".+") > _OPEN_ENDS for each in patterns)
    return generable, many_ends, not any(each.endswith(_END_ANCHORS) for each in patterns)


def _generable(pattern: str) -> str | None:
    """Return the pattern in Python's dialect; None where there is no such form."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns of what Java reads as set operations
            return to_python_re(pattern)
    except PatternError:
        return None


class TextMaker:
    """Strings from one random source."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._by_pattern = PatternText(random)

    def make(
        self,
        *,
        patterns: Sequence[str] = (),
        text_format: str | None = None,
        shortest: int = 0,
        longest: int | None = None,
        size: int = 8,
    ) -> str:
        """Return a string of at least `shortest` and at most `longest` characters, about `size` where that leaves room.

        Raises:
            DeadEndError: none was found.
        """
        limit = LONGEST + shortest if longest is None else longest
        if limit < shortest:
            raise DeadEndError(f"no string is at least {shortest} and at most {limit} characters long")
        for candidate in self._candidates(patterns, text_format, shortest, limit, size):
            if shortest <= len(candidate) <= limit and all(_is_found(each, candidate) for each in patterns):
                return candidate
        wanted = " and ".join(map(repr, patterns)) or text_format
        within = f" of at least {shortest} characters" if shortest else ""
        within += f" of at most {longest} characters" if longest is not None else ""
        raise DeadEndError(f"found no string{within} for {wanted}")

    def matches(self, pattern: str, text: str) -> bool:
        """Return whether `text` matches the schema's pattern."""
        return _is_found(pattern, text)

    def _candidates(
        self, patterns: Sequence[str], text_format: str | None, shortest: int, longest: int, size: int
    ) -> Iterator[str]:
        if text_format is not None and text_format in FORMATS:
            for _ in range(5 if patterns else 20):
                yield FORMATS[text_format](self._random)
        if not patterns:
            yield self._plain(min(max(shortest, size, 1), longest))
            return
        generable, many_ends, goes_on = _readied(tuple(patterns))
        if many_ends:
            size = min(size, _SMALL)
        for attempt in range(_ATTEMPTS):
            if generable:
                text = self._from_pattern(generable[attempt % len(generable)], attempt, shortest, size)
                if goes_on and size > _SMALL and len(text) < size <= longest:
                    yield text + "-" + self._plain(size)  # and two values differ
                yield text
            if attempt % 10 == 9:
                yield from self._arns(patterns, size)
            if attempt % 4 == 3:
                yield self._plain(min(max(shortest, attempt // 4, 1), longest))

    def _arns(self, patterns: Sequence[str], size: int) -> Iterator[str]:
        """ARNs that patterns with look-arounds may mean: none can be made by following those."""
        for pattern in patterns:
            if "arn:" in pattern and (found := _SERVICE.search(pattern)):
                yield f"arn:aws:{found[1]}:us-east-1:123456789012:{self._plain(8)}/{self._plain(size)}"

    def _from_pattern(self, pattern: str, attempt: int, shortest: int, size: int) -> str:
        # Short first where little is wanted, else long first, so that two values differ; then ever longer.
        self._by_pattern.greedy = attempt % 5 == 4 and shortest > 0
        self._by_pattern.room = shortest if self._by_pattern.greedy else max(2 * shortest, 4 * size)
        first, third = (0, size) if size <= _SMALL else (size, 0)
        self._by_pattern.extra = (first, 2, third, max(shortest, 1), 2 * shortest + 4)[attempt % 5] + attempt // 5
        try:
            text = self._by_pattern.text(pattern)
        except (KeyError, IndexError, RecursionError, OverflowError):
            return ""
        if len(text) < shortest and attempt % 2:
            # An unanchored pattern may stand anywhere in the string: fill up around it.
            text += self._plain(shortest - len(text))
        return text

    def _plain(self, size: int) -> str:
        letters = letters_from(self._random, _ALPHABET, size)
        # A letter first: names that start with a digit are refused by many back ends.
        return "a" + letters[1:] if letters[:1].isdigit() else letters
