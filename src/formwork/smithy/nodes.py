"""Node values: the JSON-like data in trait values and metadata, as plain Python values.

null, booleans, strings, arrays and objects are None, bool, str, list and dict. A number is an int, a float where a
float holds it exactly, or else a Decimal, so that 1 and 1.0, and 0.1 and its many-digit neighbours, stay apart.
"""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

Node = Any  # None | bool | int | float | Decimal | str | list[Node] | dict[str, Node]
Number = int | float | Decimal

# More of them Python refuses to make an int of; as a Decimal the number is as exact.
_DIGITS = 4000
# Deeper than any model nests; the reader of a text refuses earlier.
_QUOTED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def parse_number(text: str) -> Number:
    """Return the number that a literal such as `-1.50e3` stands for."""
    if text.lstrip("-").isdigit() and len(text) < _DIGITS:
        return int(text)
    exact = Decimal(text)
    near = float(text)
    return near if near not in (float("inf"), float("-inf")) and Decimal(repr(near)) == exact else exact


def is_number(value: Node) -> bool:
    """Return whether `value` is a number; a boolean is none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def type_name(value: Node) -> str:
    """Return what messages call the type of `value`: null, boolean, number, string, array or object."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float() | Decimal():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def nodes_equal(left: Node, right: Node) -> bool:
    """Return whether two values are the same: numbers by value, objects whatever the order of their members."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(nodes_equal(value, right[key]) for key, value in left.items())
        )
    if isinstance(left, list):
        return (
            isinstance(right, list)
            and len(left) == len(right)
            and all(nodes_equal(one, other) for one, other in zip(left, right, strict=True))
        )
    if is_number(left) and is_number(right):
        return exact(left) == exact(right)
    return type(left) is type(right) and bool(left == right)


def exact(value: Number) -> Decimal:
    """Return a number as a Decimal; 0.1 gives Decimal("0.1")."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def render_number(value: Number) -> str:
    """Return a number's literal."""
    return repr(value) if isinstance(value, float) else str(value)


def quote(text: str) -> str:
    """`text` as a JSON string, as other Smithy tools write it: only what must be escaped is."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(_QUOTED.get(each) or (each if each >= " " else f"\\u{ord(each):04x}") for each in text) + '"'


def render_node(value: Node) -> str:
    """`value` as JSON on one line without blanks, for messages."""
    match value:
        case str():
            return quote(value)
        case dict():
            return "{" + ",".join(f"{quote(key)}:{render_node(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ",".join(map(render_node, value)) + "]"
        case bool() | None:
            return json.dumps(value)
        case _:
            return render_number(value)


def expect_object(value: Node) -> Mapping[str, Node]:
    """`value` if it is an object, else an empty one; for reading traits whose type was checked before."""
    return value if isinstance(value, dict) else {}
