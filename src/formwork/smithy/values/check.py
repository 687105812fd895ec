"""Walking a value along its shape."""

from collections.abc import Iterator

from msgspec.structs import replace

from formwork.smithy.events import EventSeverity
from formwork.smithy.nodes import Node, type_name
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.values.constraints import check_constraints
from formwork.smithy.values.findings import ValueContext, ValueFinding
from formwork.smithy.values.scalars import check_scalar, check_timestamp, wrong_type

_CONTAINERS = {
    ShapeType.LIST: "array",
    ShapeType.SET: "array",
    ShapeType.MAP: "object",
    ShapeType.STRUCTURE: "object",
    ShapeType.UNION: "object",
}


def check_value(context: ValueContext, value: Node, shape: Shape) -> Iterator[ValueFinding]:
    """Yield what is wrong with `value` as a value of `shape`, or of a member."""
    if isinstance(shape, MemberShape):
        yield from _check_member(context, value, shape)
    else:
        yield from _check(context, value, shape)


def _check_member(context: ValueContext, value: Node, member: MemberShape) -> Iterator[ValueFinding]:
    target = context.model.target(member)
    if target is None:
        return
    yield from check_constraints(context, value, member, target)
    if target.type is ShapeType.TIMESTAMP and member.has_trait("timestampFormat"):
        yield from check_timestamp(value, member)
        return
    yield from _check(context, value, target)


def _check(context: ValueContext, value: Node, shape: Shape) -> Iterator[ValueFinding]:
    expected = _CONTAINERS.get(shape.type)
    if expected is None:
        yield from check_scalar(context, value, shape)
    elif type_name(value) != expected:
        yield wrong_type(value, shape, expected)
        return
    else:
        yield from _check_inside(context, value, shape)
    yield from check_constraints(context, value, shape, shape)


def _under(key: str | int, findings: Iterator[ValueFinding]) -> Iterator[ValueFinding]:
    for each in findings:
        yield replace(each, path=(str(key), *each.path))


def _check_inside(context: ValueContext, value: Node, shape: Shape) -> Iterator[ValueFinding]:
    match shape.type:
        case ShapeType.LIST | ShapeType.SET:
            yield from _check_items(context, value, shape)
        case ShapeType.MAP:
            yield from _check_entries(context, value, shape)
        case ShapeType.UNION:
            yield from _check_union(context, value, shape)
        case _:
            yield from _check_members(context, value, shape)


def _check_items(context: ValueContext, value: list[Node], shape: Shape) -> Iterator[ValueFinding]:
    member = shape.members["member"]
    sparse = shape.has_trait("sparse")
    for index, each in enumerate(value):
        if each is None and sparse:
            continue
        if each is None:
            message = f"Non-sparse list shape `{shape.id}` cannot contain null values"
            yield ValueFinding((str(index),), message)
            continue
        yield from _under(index, _check_member(context, each, member))


def _check_entries(context: ValueContext, value: dict[str, Node], shape: Shape) -> Iterator[ValueFinding]:
    key_member, value_member = shape.members["key"], shape.members["value"]
    for key, each in value.items():
        yield from _under(f"{key} (map-key)", _check_member(context, key, key_member))
        if each is None and shape.has_trait("sparse"):
            continue
        if each is None:
            message = f"Non-sparse map shape `{shape.id}` cannot contain null values"
            yield ValueFinding((key,), message)
            continue
        yield from _under(key, _check_member(context, each, value_member))


def _check_members(context: ValueContext, value: dict[str, Node], shape: Shape) -> Iterator[ValueFinding]:
    for name, each in value.items():
        member = shape.members.get(name)
        if member is None:
            message = f"Member `{name}` does not exist in `{shape.id}`"
            yield ValueFinding((), message, EventSeverity.WARNING, f"UnknownMember.{shape.id}.{name}")
        elif each is not None or not context.allows_null or member.has_trait("required"):
            yield from _under(name, _check_member(context, each, member))
    for name, member in shape.members.items():
        if name not in value and member.has_trait("required"):
            message = f"Missing required structure member `{name}` for `{shape.id}`"
            yield ValueFinding((), message, of_constraint=True)


def _check_union(context: ValueContext, value: dict[str, Node], shape: Shape) -> Iterator[ValueFinding]:
    if len(value) > 1:
        yield ValueFinding((), "union values can contain a value for only a single member")
        return
    for name, each in value.items():
        member = shape.members.get(name)
        if member is None:
            yield ValueFinding((), f"Invalid union member `{name}` found for `{shape.id}`")
        else:
            yield from _under(name, _check_member(context, each, member))
