"""Integers and numbers within their bounds; numbers stay exact in binary, so that JSON round trips keep them."""

import math
from fractions import Fraction
from random import Random
from typing import Any

from formwork.instances.errors import DeadEndError

_SPAN = 100


def make_number(node: dict[str, Any], random: Random, *, whole: bool, least: bool = False) -> int | float:
    """A number that the merged node allows; the least one in reach of its lower bound with `least`.

    Raises:
        DeadEndError: the bounds leave none.
    """
    step = Fraction(str(node["multipleOf"])) if node.get("multipleOf") else Fraction(1) if whole else Fraction(1, 2)
    if whole and step.denominator != 1:
        step = Fraction(step.numerator)  # the multiples of p/q that are whole are those of p, in lowest terms
    low, high = _bounds(node, step)
    first, last = math.ceil(low / step), math.floor(high / step)
    if first > last:
        raise DeadEndError("the bounds leave no number")
    value = step * (first if least else random.randint(first, last))
    return int(value) if value.denominator == 1 else float(value)


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
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Fraction(str(value))
