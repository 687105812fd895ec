"""ShapeIdConflict: ids that differ in nothing but case."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shapes import Shape
from formwork.smithy.validators.context import Validation, error, quoted


def shape_id_conflicts(validation: Validation) -> Iterator[Event]:
    """Report ids of root shapes and of members that differ only in case."""
    by_case: dict[str, list[Shape]] = defaultdict(list)
    for shape in validation.model.everything():
        by_case[shape.id.lower()].append(shape)
    for shapes in by_case.values():
        if len(shapes) < 2:
            continue
        ids = sorted(each.id for each in shapes)
        for shape in shapes:
            others = quoted(each for each in ids if each != shape.id)
            message = f"Shape ID `{shape.id}` conflicts with other shape IDs in the model: [{others}]"
            yield error("ShapeIdConflict", shape, message)
