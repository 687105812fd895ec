"""Values of simple shapes."""

import re
from collections.abc import Iterator
from decimal import Decimal

from formwork.smithy.nodes import Node, is_number, render_node, type_name
from formwork.smithy.shapes import NUMBER_TYPES, Shape, ShapeType
from formwork.smithy.values.findings import ValueContext, ValueFinding

_RANGES = {
    ShapeType.BYTE: (-(2**7), 2**7 - 1),
    ShapeType.SHORT: (-(2**15), 2**15 - 1),
    ShapeType.INTEGER: (-(2**31), 2**31 - 1),
    ShapeType.INT_ENUM: (-(2**31), 2**31 - 1),
    ShapeType.LONG: (-(2**63), 2**63 - 1),
}
_WHOLE = frozenset((*_RANGES, ShapeType.BIG_INTEGER))
_NON_NUMERIC = ("NaN", "Infinity", "-Infinity")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{0,9})?Z", re.ASCII)
_HTTP_DATE = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d\d? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} "
    r"\d\d:\d\d(?::\d\d)? GMT",
    re.ASCII | re.IGNORECASE,
)
_EXAMPLE = '(e.g., "1985-04-12T23:20:50.52Z")'


def check_scalar(_context: ValueContext, value: Node, shape: Shape) -> Iterator[ValueFinding]:
    """Yield what is wrong with the value of a simple shape, its constraints aside."""
    match shape.type:
        case ShapeType.STRING | ShapeType.ENUM | ShapeType.BLOB:
            if not isinstance(value, str):
                yield wrong_type(value, shape, "string")
        case ShapeType.BOOLEAN:
            if not isinstance(value, bool):
                yield wrong_type(value, shape, "boolean")
        case ShapeType.TIMESTAMP:
            yield from check_timestamp(value, shape)
        case _ if shape.type in NUMBER_TYPES:
            yield from _check_number(value, shape)
        case _:
            pass


def wrong_type(value: Node, shape: Shape, expected: str) -> ValueFinding:
    """Return the finding for a value of another type than `expected`."""
    found = type_name(value)
    shown = "" if found in ("null", "array", "object") else f", `{value if found == 'string' else render_node(value)}`"
    return ValueFinding(
        (), f"Expected {expected} value for {shape.type} shape, `{shape.id}`; found {found} value{shown}"
    )


def _check_number(value: Node, shape: Shape) -> Iterator[ValueFinding]:
    if not is_number(value):
        floating = shape.type in (ShapeType.FLOAT, ShapeType.DOUBLE)
        if not (floating and isinstance(value, str)):
            yield wrong_type(value, shape, "number")
        elif value not in _NON_NUMERIC:
            listed = ", ".join(f'"{each}"' for each in _NON_NUMERIC)
            message = (
                f"Value for `{shape.id}` must either be numeric or one of the following strings: [{listed}], but was "
                f'"{value}"'
            )
            yield ValueFinding((), message)
        return
    if shape.type in _WHOLE and isinstance(value, float | Decimal):
        message = (
            f"{shape.type} shapes must not have floating point values, but found `{render_node(value)}` provided for "
            f"`{shape.id}`"
        )
        yield ValueFinding((), message)
        return
    low, high = _RANGES.get(shape.type, (None, None))
    if low is not None and value < low:
        yield ValueFinding((), f"{shape.type} value must be > {low}, but found {render_node(value)}")
    if high is not None and value > high:
        yield ValueFinding((), f"{shape.type} value must be < {high}, but found {render_node(value)}")


def check_timestamp(value: Node, shape: Shape) -> Iterator[ValueFinding]:
    """Yield what is wrong with the value of a timestamp; `shape` is the one that says the format: it, or a member."""
    match shape.trait("timestampFormat"):
        case "epoch-seconds":
            if not is_number(value):
                message = f"Invalid {type_name(value)} value provided for a timestamp with a `epoch-seconds` format."
                yield ValueFinding((), message)
        case "http-date":
            if not (isinstance(value, str) and _HTTP_DATE.fullmatch(value)):
                found = value if isinstance(value, str) else type_name(value)
                message = (
                    "Invalid value provided for http-date formatted timestamp. Expected a string value that matches "
                    f"the IMF-fixdate production of RFC 9110 section-5.6.7. Found: {found}"
                )
                yield ValueFinding((), message)
        case "date-time":
            yield from _check_date_time(value, shape)
        case None if not is_number(value):
            yield from _check_unformatted(value, shape)
        case _:
            pass


def _check_date_time(value: Node, shape: Shape) -> Iterator[ValueFinding]:
    if not isinstance(value, str):
        yield ValueFinding((), f"Expected a string value for a date-time timestamp {_EXAMPLE}")
    elif not _DATE_TIME.fullmatch(value):
        message = (
            f"Invalid string value, `{value}`, provided for timestamp, `{shape.id}`. Expected an RFC 3339 formatted "
            f"timestamp {_EXAMPLE}"
        )
        yield ValueFinding((), message)


def _check_unformatted(value: Node, shape: Shape) -> Iterator[ValueFinding]:
    if isinstance(value, str):
        yield from _check_date_time(value, shape)
        return
    message = (
        f"Invalid {type_name(value)} value provided for timestamp, `{shape.id}`. Expected a number that contains epoch "
        "seconds with optional millisecond precision, or a string that contains an RFC 3339 formatted timestamp "
        f"{_EXAMPLE}"
    )
    yield ValueFinding((), message)
