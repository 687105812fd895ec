"""Union and UnitType."""

from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import render_node
from formwork.smithy.shape_ids import UNIT
from formwork.smithy.shapes import ShapeType
from formwork.smithy.validators.context import Validation, error, event, warning

_MAY_BE_UNIT = (ShapeType.UNION, ShapeType.ENUM, ShapeType.INT_ENUM)


def unions(validation: Validation) -> Iterator[Event]:
    """Check that unions have members, and no traits without effect."""
    for shape in validation.model.of_type(ShapeType.UNION):
        if not shape.members:
            yield error("Union", shape, "Tagged unions must have one or more members")
        for member in shape.members.values():
            target = validation.model.target(member)
            if member.has_trait("box"):
                message = (
                    "Invalid box trait found on a union member. The box trait on union members has no effect because "
                    "union members are implicitly nullable."
                )
                yield warning("Union", member, message)
            if target is not None and target.has_trait("default") and target.trait("default") is not None:
                message = (
                    f"This union member targets `{target.id}`, a shape with a default value of "
                    f"`{render_node(target.trait('default'))}`. Note that default values are only applicable to "
                    "structures and ignored in tagged unions. It is a best practice for union members to target shapes "
                    "with no default value (for example, instead of targeting PrimitiveInteger, target Integer)."
                )
                yield event("Union", EventSeverity.NOTE, member, message)


def unit_types(validation: Validation) -> Iterator[Event]:
    """Check that only members of unions and enums target Unit."""
    for shape in validation.model.shapes.values():
        if shape.type in _MAY_BE_UNIT:
            continue
        for member in shape.members.values():
            if member.target == UNIT:
                message = "Only members of a union, enum, or intEnum can reference smithy.api#Unit"
                yield error("UnitType", member, message)
