"""Patterns ready to match, with a time limit: schemas come from strangers."""

from functools import lru_cache
from typing import Any

from formwork.schema.patterns.parser import parse_pattern
from formwork.schema.patterns.syntax import PatternError

SECONDS = 1.0


class PatternTimeoutError(Exception):
    """Matching took longer than its limit."""


class CompiledPattern:
    """A Java pattern that the `regex` package runs."""

    def __init__(self, text: str, compiled: Any) -> None:
        self.text = text
        self._compiled = compiled

    def is_found_in(self, value: str, *, seconds: float = SECONDS) -> bool:
        """Whether the pattern matches somewhere in `value`, as JSON Schema asks.

        Raises:
            PatternTimeoutError: it takes longer than `seconds`.
        """
        try:
            return self._compiled.search(value, timeout=seconds) is not None
        except TimeoutError:
            raise PatternTimeoutError(f"the pattern runs longer than {seconds:g} s on this value") from None

    def matches(self, value: str, *, seconds: float = SECONDS) -> bool:
        """Whether the pattern matches the whole of `value`.

        Raises:
            PatternTimeoutError: it takes longer than `seconds`.
        """
        try:
            return self._compiled.fullmatch(value, timeout=seconds) is not None
        except TimeoutError:
            raise PatternTimeoutError(f"the pattern runs longer than {seconds:g} s on this value") from None


@lru_cache(maxsize=4096)
def compile_pattern(text: str) -> CompiledPattern:
    """The Java pattern `text`, ready to match.

    Raises:
        PatternError: Java would refuse it, or it is over our bounds.
    """
    import regex  # noqa: PLC0415 - 20 ms, only for matching

    from formwork.schema.patterns.emit import Engine, emit  # noqa: PLC0415 - as above

    written = emit(parse_pattern(text).root, Engine.REGEX)
    try:
        return CompiledPattern(text, regex.compile(written, regex.V1))
    except (regex.error, OverflowError, MemoryError, RecursionError) as error:
        raise PatternError(f"the pattern cannot be compiled: {error}", 0) from None


def to_python_re(text: str) -> str:
    """The Java pattern `text` for Python's `re`, to generate texts from: it matches the same texts or fewer.

    Raises:
        PatternError: Java would refuse it, it is over our bounds, or `re` has nothing for one of its constructs.
    """
    import re  # noqa: PLC0415 - beside the other engines

    from formwork.schema.patterns.emit import CannotEmitError, Engine, emit  # noqa: PLC0415 - as above

    try:
        written = emit(parse_pattern(text).root, Engine.RE)
        re.compile(written)
    except (CannotEmitError, re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"Python's re cannot express it: {error}", 0) from None
    return written


def to_ecma(text: str) -> str | None:
    """The Java pattern `text` for ECMA-262 engines, or None where they can't express it.

    Raises:
        PatternError: Java would refuse it, or it is over our bounds.
    """
    from formwork.schema.patterns.emit import CannotEmitError, Engine, emit  # noqa: PLC0415 - as above

    try:
        return emit(parse_pattern(text).root, Engine.ECMA)
    except CannotEmitError:
        return None
