"""Comparators of attributes."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from formwork.smithy.selectors.values import ValueProjection, as_number, as_text, each_of, is_present

_TEXT: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "^=": str.startswith,
    "$=": str.endswith,
    "*=": lambda left, right: right in left,
}
_NUMBERS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
}
_SETS: Mapping[str, Callable[[frozenset[str], frozenset[str]], bool]] = {
    "{=}": lambda left, right: left == right,
    "{!=}": lambda left, right: left != right,
    "{<}": lambda left, right: left <= right,
    "{<<}": lambda left, right: left < right,
}
# Longest first: the parser tries them in this order.
COMPARATORS = ("{!=}", "{<<}", "{=}", "{<}", "!=", "^=", "$=", "*=", "?=", ">=", "<=", "=", ">", "<")


def compare(comparator: str, left: Any, right: Any, *, any_case: bool = False) -> bool:
    """Return whether two values, or any of several, compare so."""
    if comparator in _SETS:
        if not isinstance(left, ValueProjection) or not isinstance(right, ValueProjection):
            return False
        return _SETS[comparator](_texts(left, any_case=any_case), _texts(right, any_case=any_case))
    if comparator == "?=":
        present = "true" if is_present(left) else "false"
        return any(as_text(each) == present for each in each_of(right))
    return any(
        _compare_one(comparator, one, other, any_case=any_case) for one in each_of(left) for other in each_of(right)
    )


def _compare_one(comparator: str, left: Any, right: Any, *, any_case: bool) -> bool:
    if comparator in _NUMBERS:
        one, other = as_number(left), as_number(right)
        return one is not None and other is not None and _NUMBERS[comparator](one, other)
    text, other_text = as_text(left), as_text(right)
    if text is None or other_text is None:
        return False
    if any_case:
        text, other_text = text.lower(), other_text.lower()
    return _TEXT[comparator](text, other_text)


def _texts(value: ValueProjection, *, any_case: bool) -> frozenset[str]:
    texts = (as_text(each) for each in value.values)
    return frozenset(text.lower() if any_case else text for text in texts if text is not None)
