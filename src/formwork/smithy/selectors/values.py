"""The values of attributes: what `[trait|range|min]` stands for on a shape."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from msgspec import Struct

from formwork.smithy.nodes import is_number, render_number
from formwork.smithy.shape_ids import PRELUDE
from formwork.smithy.shapes import ServiceShape, Shape, ShapeType

ENUM_TRAIT = "smithy.api#enum"


class _Missing:
    """No value at all; different from null."""


MISSING = _Missing()


class ValueProjection(Struct, frozen=True):
    """Several values: comparing with it is comparing with any of them."""

    values: tuple[Any, ...]


class Identity(Struct, frozen=True):
    """The id of a shape, which has parts."""

    shape_id: str


def attribute(shape: Shape, variables: "dict[str, dict[str, Shape]]", path: Sequence[str]) -> Any:
    """Return the value at a path that starts with id, trait, service or var."""
    first, *rest = path
    match first:
        case "id":
            value: Any = Identity(shape.id)
        case "service":
            value = shape if isinstance(shape, ServiceShape) else MISSING
        case "trait":
            return _trait(shape, rest)
        case "var":
            return _variable(variables, rest)
        case _:
            return MISSING
    return step_into(value, rest)


def _trait(shape: Shape, path: Sequence[str]) -> Any:
    if not path:
        return ValueProjection(tuple(shape.traits.values())) if shape.traits else MISSING
    first, *rest = path
    match first:
        case "(keys)":
            return step_into(ValueProjection(tuple(map(Identity, shape.traits))), rest)
        case "(values)":
            return step_into(ValueProjection(tuple(shape.traits.values())), rest)
        case "(length)":
            return step_into(len(shape.traits), rest)
        case _:
            value = trait_value(shape, first if "#" in first else f"{PRELUDE}#{first}")
            return value if value is MISSING else step_into(value, rest)


def trait_value(shape: Shape, trait: str) -> Any:
    """Return the value of a trait; enum shapes have @enum too, as far as selectors are concerned."""
    if trait == ENUM_TRAIT and shape.type is ShapeType.ENUM:
        return [{"name": each.member_name, "value": each.trait("enumValue")} for each in shape.members.values()]
    return shape.traits.get(trait, MISSING)


def _variable(variables: "dict[str, dict[str, Shape]]", path: Sequence[str]) -> Any:
    if not path or path[0] not in variables:
        return MISSING
    values = (
        attribute(each, variables, path[1:]) if len(path) > 1 else Identity(each.id)
        for each in variables[path[0]].values()
    )
    return flatten(ValueProjection(tuple(values)))


def step_into(value: Any, path: Sequence[str]) -> Any:
    """Return what lies at a path inside a value."""
    for key in path:
        value = _step(value, key)
    return value


def _step(value: Any, key: str) -> Any:  # noqa: PLR0911 - one a kind of value
    match value:
        case ValueProjection():
            return flatten(ValueProjection(tuple(_step(each, key) for each in value.values)))
        case Identity():
            return _id_part(value.shape_id, key)
        case ServiceShape():
            return {"id": Identity(value.id), "version": value.version}.get(key, MISSING)
        case dict():
            if key in ("(keys)", "(values)"):
                return ValueProjection(tuple(value if key == "(keys)" else value.values()))
            return len(value) if key == "(length)" else value.get(key, MISSING)
        case list():
            if key == "(values)":
                return ValueProjection(tuple(value))
            return len(value) if key == "(length)" else MISSING
        case str():
            return len(value) if key == "(length)" else MISSING
        case _:
            return MISSING


def _id_part(shape_id: str, key: str) -> Any:
    namespace, _, rest = shape_id.partition("#")
    name, _, member = rest.partition("$")
    match key:
        case "namespace":
            return namespace
        case "name":
            return name
        case "member":
            return member or MISSING
        case "(length)":
            return len(shape_id)
        case _:
            return MISSING


def flatten(projection: ValueProjection) -> ValueProjection:
    """Return a projection without projections in it, and without what is missing."""
    found: list[Any] = []
    for value in projection.values:
        if isinstance(value, ValueProjection):
            found += flatten(value).values
        elif value is not MISSING:
            found.append(value)
    return ValueProjection(tuple(found))


def is_present(value: Any) -> bool:
    """Return whether there is a value; null is none."""
    if isinstance(value, ValueProjection):
        return any(map(is_present, value.values))
    return value is not MISSING and value is not None


def each_of(value: Any) -> Iterable[Any]:
    """Return the values that a comparison tries."""
    return value.values if isinstance(value, ValueProjection) else (value,)


def as_text(value: Any) -> str | None:
    """Return a value as comparisons of text see it; None for one that has no text."""
    match value:
        case Identity():
            return value.shape_id
        case ServiceShape():
            return value.id
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case _ if is_number(value):
            return render_number(value)
        case _:
            return None


def as_number(value: Any) -> Decimal | None:
    """Return the number that a value stands for in comparisons of numbers."""
    text = as_text(value)
    try:
        number = Decimal(text) if text is not None else None
    except ArithmeticError:
        return None
    return number if number is not None and number.is_finite() else None
