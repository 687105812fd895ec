"""Patterns ready to match, with a time limit: schemas come from strangers."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from formwork.patterns.expansion import MAX_EXPANDED, expanded_size
from formwork.patterns.parser import parse_pattern
from formwork.patterns.plain import MAX_VALUE, longest_plain
from formwork.patterns.syntax import PatternError

SECONDS = 1.0
_MOMENT = 0.01  # seconds
_SHORT = 200
_MOST_KNOWN = 200


class PatternTimeoutError(Exception):
    """Matching took longer than its limit."""


class CompiledPattern:
    """A Java pattern that an engine runs: Python's own `re` for values of up to `longest_plain`, `regex` for others."""

    def __init__(self, text: str, written: str, *, longest_plain: int, too_large: bool = False) -> None:
        self.text = text
        self._too_large = too_large  # for `regex`, which writes repetitions out
        self._written = written
        self._longest_plain = longest_plain
        self._plain = re.compile(written) if longest_plain else None
        self._compiled = None if self._plain else _compile(written)
        self._known: dict[str, bool] = {}  # short values and their verdicts: a run asks about the same ones again

    @property
    def is_plain(self) -> bool:
        """Whether no text takes long: the work is in proportion to the text."""
        return self._longest_plain == MAX_VALUE

    def is_found_in(self, value: str, *, seconds: float = SECONDS) -> bool:
        """Return whether the pattern matches somewhere in `value`, as JSON Schema asks.

        Raises:
            PatternTimeoutError: it takes longer than `seconds`.
        """
        if self._plain is not None and len(value) <= self._longest_plain:
            return self._plain.search(value) is not None
        known = self._known.get(value)
        if known is not None:
            return known
        found = self._within(seconds, self._expect_compiled().search, value)
        if len(value) <= _SHORT and len(self._known) < _MOST_KNOWN:
            self._known[value] = found
        return found

    def matches(self, value: str, *, seconds: float = SECONDS) -> bool:
        """Return whether the pattern matches the whole of `value`.

        Raises:
            PatternTimeoutError: it takes longer than `seconds`.
        """
        if self._plain is not None and len(value) <= self._longest_plain:
            return self._plain.fullmatch(value) is not None
        return self._within(seconds, self._expect_compiled().fullmatch, value)

    @staticmethod
    def _within(seconds: float, match: Callable[..., object], value: str) -> bool:
        try:
            # Nearly every match is done in microseconds: letting other threads run meanwhile costs much more.
            return match(value, timeout=min(_MOMENT, seconds), concurrent=False) is not None
        except TimeoutError:
            pass
        try:
            return match(value, timeout=seconds, concurrent=True) is not None
        except TimeoutError:
            raise PatternTimeoutError(f"the pattern runs longer than {seconds:g} s on this value") from None

    def _expect_compiled(self) -> Any:
        if self._compiled is None:  # a plain pattern, and a value too long for an engine without a time limit
            if self._too_large:
                raise PatternTimeoutError("the pattern's repetitions are too large for a value of this length")
            self._compiled = _compile(self._written)
        return self._compiled


@lru_cache(maxsize=4096)
def compile_pattern(text: str) -> CompiledPattern:
    """Return the Java pattern `text`, ready to match.

    Raises:
        PatternError: Java would refuse it, or it is over our bounds.
    """
    from formwork.patterns.emit import PatternEngine, emit  # noqa: PLC0415 - only for matching

    root = parse_pattern(text).root
    plain, size = longest_plain(root), expanded_size(root)
    if size > MAX_EXPANDED and not plain:
        raise PatternError(
            f"its repetitions make it {size:,} characters long; at most {MAX_EXPANDED:,} are compiled", 0
        )
    return CompiledPattern(text, emit(root, PatternEngine.REGEX), longest_plain=plain, too_large=size > MAX_EXPANDED)


def _compile(written: str) -> Any:
    import regex  # noqa: PLC0415 - 10 ms, only for matching

    try:
        return regex.compile(written, regex.V1)
    except (regex.error, OverflowError, MemoryError, RecursionError) as error:
        raise PatternError(f"the pattern cannot be compiled: {error}", 0) from None


def to_python_re(text: str) -> str:
    """Return the Java pattern `text` for Python's `re`, to generate texts from: it matches the same texts or fewer.

    Raises:
        PatternError: Java would refuse it, it is over our bounds, or `re` has nothing for one of its constructs.
    """
    from formwork.patterns.emit import CannotEmitError, PatternEngine, emit  # noqa: PLC0415 - as above

    try:
        written = emit(parse_pattern(text).root, PatternEngine.RE)
        re.compile(written)
    except (CannotEmitError, re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"Python's re cannot express it: {error}", 0) from None
    return written


def to_ecma(text: str) -> str | None:
    """Return the Java pattern `text` for ECMA-262 engines, or None where they can't express it.

    Raises:
        PatternError: Java would refuse it, or it is over our bounds.
    """
    from formwork.patterns.emit import CannotEmitError, PatternEngine, emit  # noqa: PLC0415 - as above

    try:
        return emit(parse_pattern(text).root, PatternEngine.ECMA)
    except CannotEmitError:
        return None
