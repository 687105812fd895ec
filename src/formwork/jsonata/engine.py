"""JSONata within bounds: expressions come from strangers, and JSONata's functions make any size that is asked for.

jsonata-python asks after each step how long it has taken and how deep it is. A single step can be too much: values that
share parts grow with each step by a factor and are walked in whole, a text is padded to a width. So no step's value may
be large, and functions that multiply are asked for no more than that.

The reasons are in docs/decisions/1299.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from jsonata import jsonata
from jsonata.functions import Functions
from jsonata.parser import Parser

from formwork.jsonata.errors import TransformError

MAX_SIZE = 1_000_000  # characters and members of a value that an expression makes
_MAX_RANGE = 10_000
_MILLISECONDS = 1_000
_STACK = 100
_SECONDS_A_MATCH = 0.5
_MAX_REGEX = 1_000  # characters
_MAX_REPETITIONS = 10_000  # of one part of a regular expression, all its counted repetitions multiplied
_COUNT = re.compile(r"\{\s*(\d+)\s*(?:,\s*(\d*)\s*)?\}")
_WIDE = re.compile(r",[^\]]*\d{4}")  # a width modifier in a picture of a time


class Regex:
    """A regular expression of an expression, with a time limit."""

    def __init__(self, pattern: str, flags: Any) -> None:
        import regex  # noqa: PLC0415 - few expressions have one

        _check_regex(pattern)
        options = (regex.IGNORECASE if flags.case_insensitive else 0) | (regex.MULTILINE if flags.multiline else 0)
        self._compiled = regex.compile(pattern, options)

    def search(self, text: str) -> Any:
        """See `re.Pattern.search`."""
        return self._compiled.search(text, timeout=_SECONDS_A_MATCH)

    def finditer(self, text: str) -> Any:
        """See `re.Pattern.finditer`."""
        return self._compiled.finditer(text, timeout=_SECONDS_A_MATCH)

    def sub(self, replacement: Any, text: str, count: int = 0) -> str:
        """See `re.Pattern.sub`."""
        return str(self._compiled.sub(replacement, text, count, timeout=_SECONDS_A_MATCH))

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """See `re.Pattern.split`."""
        return list(self._compiled.split(text, maxsplit, timeout=_SECONDS_A_MATCH))


class BoundedJsonata(jsonata.Jsonata):  # type: ignore[misc]
    """A compiled expression whose results are bounded in size."""

    def __init__(self, expression: str) -> None:
        super().__init__(expression, Regex)

    def evaluate(self, input: Any, bindings: Any = None) -> Any:  # noqa: A002 - the parent's word
        """Return the expression's value."""
        self.environment = self.create_frame(jsonata.Jsonata.static_frame)
        for name, function in _bounded_functions().items():
            self.environment.bind(name, function)
        self.environment.set_runtime_bounds(_MILLISECONDS, _STACK)  # its clock starts here, so for each call anew
        return super().evaluate(input, bindings)

    def eval(self, expr: Any, input: Any, environment: Any) -> Any:  # noqa: A002 - the parent's word
        """Return the value of a part of the expression."""
        made = super().eval(expr, input, environment)
        if isinstance(made, str | list | dict) and expr.type != "variable":  # whose value was made before
            _check_size(made)
        return made

    def apply_inner(self, proc: Any, args: Any, input: Any, environment: Any) -> Any:  # noqa: A002 - the parent's word
        """Return the value of a call."""
        if not _is_function(proc):  # jsonata-python prints the value, which may be a secret
            raise TransformError("the expression calls what is not a function")
        return super().apply_inner(proc, args, input, environment)

    def evaluate_range_expression(self, lhs: Any, rhs: Any) -> Any:
        """Return the numbers from `lhs` to `rhs`."""
        if isinstance(lhs, int) and isinstance(rhs, int) and rhs - lhs > _MAX_RANGE:
            raise TransformError("the expression makes too long a range")
        return super().evaluate_range_expression(lhs, rhs)


def _is_function(value: Any) -> bool:
    kinds = (Parser.Symbol, jsonata.Jsonata.JFunction, jsonata.Jsonata.JLambda, jsonata.Jsonata.JFunctionCallable)
    return value is None or isinstance(value, kinds) or bool(Functions.is_regex(value))


def _check_size(value: Any) -> None:
    size, pending = 0, [value]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            size += len(part)
        elif isinstance(part, list):
            size += len(part)
            pending += part if size <= MAX_SIZE else ()
        elif isinstance(part, dict):
            size += len(part) + sum(map(len, part))
            pending += part.values()
        if size > MAX_SIZE:
            raise TransformError("the expression makes too large a value")


def _check_regex(pattern: str) -> None:
    repetitions = 1
    for low, high in _COUNT.findall(pattern):
        repetitions *= max(1, int(low[:9]), int(high[:9] or 1))
    if len(pattern) > _MAX_REGEX or repetitions > _MAX_REPETITIONS:
        raise TransformError("the expression has too large a regular expression")


def _size_of_pad(arguments: Sequence[Any]) -> float:
    return abs(arguments[1]) if len(arguments) > 1 and isinstance(arguments[1], int | float) else 0


def _size_of_join(arguments: Sequence[Any]) -> float:
    parts, separator = [*arguments, None][:2]
    return len(parts) * len(separator) if isinstance(parts, list) and isinstance(separator, str) else 0


def _size_of_replace(arguments: Sequence[Any]) -> float:
    text, _pattern, new = [*arguments, None, None, None][:3]
    return (len(text) + 1) * len(new) if isinstance(text, str) and isinstance(new, str) else 0


def _size_of_picture(arguments: Sequence[Any]) -> float:
    texts = [each for each in arguments if isinstance(each, str)]
    return float("inf") if any(map(_WIDE.search, texts)) else max(map(len, texts), default=0) * 100


# What a function may make at most, from its arguments.
_SIZES: Mapping[str, Callable[[Sequence[Any]], float]] = {
    "pad": _size_of_pad,
    "join": _size_of_join,
    "replace": _size_of_replace,
    **dict.fromkeys(("fromMillis", "toMillis", "now", "formatInteger", "parseInteger"), _size_of_picture),
}


class _BoundedFunction(jsonata.Jsonata.JNativeFunction):  # type: ignore[misc]
    """A JSONata function that refuses calls whose result would be too large."""

    def __init__(self, native: Any, size: Callable[[Sequence[Any]], float]) -> None:
        self.__dict__.update(native.__dict__)
        self._size = size

    def call(self, input: Any, args: Sequence[Any]) -> Any:  # noqa: A002 - the parent's word
        """Return the function's value."""
        if self._size(args) > 10 * MAX_SIZE:
            raise TransformError("the expression makes too long a text")
        return super().call(input, args)


@cache
def _bounded_functions() -> dict[str, Any]:
    natives = jsonata.Jsonata.static_frame.bindings
    return {name: _BoundedFunction(natives[name], size) for name, size in _SIZES.items()}
