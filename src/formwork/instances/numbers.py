"""Integers and numbers within their bounds; numbers stay exact in binary, so that JSON round trips keep them."""

import functools
import math
from fractions import Fraction
from random import Random
from typing import Any

from formwork.instances.errors import DeadEndError

_SPAN = 100
_KEYWORDS = ("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def make_number(node: dict[str, Any], random: Random, *, whole: bool, least: bool = False) -> int | float:
    """Return a number that the merged node allows; the least one in reach of its lower bound with `least`.

    Raises:
        DeadEndError: the bounds leave none.
    """
    step, first, last = _range(*(_number(node.get(key)) for key in _KEYWORDS), whole)
    if first > last:
        bounds = ", ".join(f"{key} {node[key]}" for key in _KEYWORDS if key in node)
        raise DeadEndError(f"{bounds} leave no {'integer' if whole else 'number'}")
    value = step * (first if least else random.randint(first, last))
    return int(value) if value.denominator == 1 else float(value)


@functools.lru_cache(maxsize=1024)
def _range(  # noqa: PLR0913, PLR0917 - the keywords, so that they can be a key
    multiple: float | None,
    minimum: float | None,
    maximum: float | None,
    above: float | None,
    below: float | None,
    whole: bool,  # noqa: FBT001 - likewise
) -> tuple[Fraction, int, int]:
    """Return the step, and the first and the last number as multiples of it."""
    node = dict(zip(_KEYWORDS, (multiple, minimum, maximum, above, below), strict=True))
    step = Fraction(str(multiple)) if multiple else Fraction(1) if whole else _fine_step(node)
    if whole and step.denominator != 1:
        step = Fraction(step.numerator)  # the multiples of p/q that are whole are those of p, in lowest terms
    low, high = _bounds(node, step)
    return step, math.ceil(low / step), math.floor(high / step)


def _fine_step(node: dict[str, Any]) -> Fraction:
    """Return a step that some number between the bounds is a multiple of; a half unless they are close."""
    lows = [each for key in ("minimum", "exclusiveMinimum") if (each := _bound(node, key)) is not None]
    highs = [each for key in ("maximum", "exclusiveMaximum") if (each := _bound(node, key)) is not None]
    step = Fraction(1, 2)
    if not lows or not highs:
        return step
    low, high = max(lows), min(highs)
    if low == high:
        return low or step
    while 0 < high - low < 4 * step:
        step /= 2
    return step


def _bounds(node: dict[str, Any], step: Fraction) -> tuple[Fraction, Fraction]:
    low, high = _bound(node, "minimum"), _bound(node, "maximum")
    if (edge := _bound(node, "exclusiveMinimum")) is not None:
        low = edge + step / 1000 if low is None else max(low, edge + step / 1000)
    if (edge := _bound(node, "exclusiveMaximum")) is not None:
        high = edge - step / 1000 if high is None else min(high, edge - step / 1000)
    span = _SPAN * step
    if low is None:
        low = min(step, high - span) if high is not None and high < step else step
    if high is None:
        high = low + span
    return low, min(high, low + 100 * span)


def _bound(node: dict[str, Any], key: str) -> Fraction | None:
    value = node.get(key)
    return None if value is None else Fraction(str(value))


def _number(value: Any) -> int | float | None:
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value
