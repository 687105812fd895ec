"""Which shapes others lead to."""

from collections.abc import Iterable

from formwork.smithy.model import Model
from formwork.smithy.shape_ids import UNIT
from formwork.smithy.shapes import OperationShape, ResourceShape, ServiceShape, Shape, ShapeType

# Their members target the unit type only because a member must target something.
_ENUMS = (ShapeType.ENUM, ShapeType.INT_ENUM)


def reachable_from(model: Model, start: Iterable[str]) -> dict[str, None]:
    """Return every root shape that one can get to from `start`, which belongs to it, in the order they are found."""
    found = dict.fromkeys(start)
    todo = list(found)
    for shape_id in todo:  # grows while it is walked
        shape = model.shapes.get(shape_id)
        if shape is None:
            continue
        for target in _targets(shape):
            if target not in found:
                found[target] = None
                todo.append(target)
    return found


def _targets(shape: Shape) -> Iterable[str]:
    yield from shape.mixins
    for member in shape.members.values() if shape.type not in _ENUMS else ():
        yield member.target
    match shape:
        case OperationShape():
            yield from (each for each in (shape.input, shape.output, *shape.errors) if each != UNIT)
        case ResourceShape():
            yield from (
                *shape.identifiers.values(),
                *shape.properties.values(),
                *shape.all_operations,
                *shape.resources,
            )
        case ServiceShape():
            yield from (*shape.operations, *shape.resources, *shape.errors)
        case _:
            pass
