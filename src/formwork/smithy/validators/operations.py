"""Operations: OperationInputOutputMisuse and OperationInputOutputName."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shape_ids import UNIT
from formwork.smithy.shapes import ShapeType
from formwork.smithy.validators.context import Validation, error, quoted, warning

_MISUSE = "OperationInputOutputMisuse"


def input_output_misuse(validation: Validation) -> Iterator[Event]:
    """Check that inputs are inputs of one operation, outputs outputs of one, and nothing else targets them."""
    model = validation.model
    users: dict[tuple[str, str], list[str]] = defaultdict(list)
    for operation in model.operations:
        for side, other, target_id in (("input", "output", operation.input), ("output", "input", operation.output)):
            target = model.get(target_id)
            if target is None:
                continue
            users[(side, target_id)].append(operation.id)
            if target.has_trait(other):
                message = f"Operation `{side}` cannot target structures marked with the `@{other}` trait: `{target_id}`"
                yield error(_MISUSE, operation, message)
    for (side, target_id), operations in users.items():
        target = model.get(target_id)
        if target is not None and target.has_trait(side) and len(operations) > 1:
            message = (
                f"Shapes marked with the @{side} trait cannot be used as {side} by multiple operations: "
                f"{quoted(sorted(operations))}"
            )
            yield error(_MISUSE, target, message)
    yield from _members_that_target(validation)


def _members_that_target(validation: Validation) -> Iterator[Event]:
    model = validation.model
    for shape in model.shapes.values():
        for member in shape.members.values():
            target = model.target(member)
            for side in ("input", "output"):
                if target is not None and target.has_trait(side):
                    message = f"Members cannot target structures marked with the @{side} trait: {target.id}"
                    yield error(_MISUSE, member, message)


def input_output_names(validation: Validation) -> Iterator[Event]:
    """Check that dedicated inputs and outputs are named after their operation."""
    for operation in validation.model.operations:
        for side, target_id in (("input", operation.input), ("output", operation.output)):
            target = validation.model.get(target_id)
            if target is None or target_id == UNIT or not target.has_trait(side):
                continue
            if not target.name.startswith(operation.name):
                message = (
                    f"The {side} of this operation should target a shape that starts with the operation's name, "
                    f"'{operation.name}', but the targeted shape is `{target_id}`"
                )
                yield warning(f"OperationInputOutputName.{side}", operation, message)


_IMPLIED = {"input": ("Input", "Request"), "output": ("Output", "Response")}


def name_ambiguity(validation: Validation) -> Iterator[Event]:
    """Check OperationNameAmbiguity: no other shape is named as an input or output would be."""
    structures = list(validation.model.of_type(ShapeType.STRUCTURE))
    by_id = {each.id: each for each in structures}
    for operation in validation.model.operations:
        for side, used in (("input", operation.input), ("output", operation.output)):
            for suffix in _IMPLIED[side]:
                shape = by_id.get(operation.id + suffix)
                if shape is None or used == shape.id:
                    continue
                message = (
                    f"The name of this shape implies that it is the {side} of {operation.id}, but that operation uses "
                    f"{used} for {side}. This kind of ambiguity can confuse developers calling this operation and can "
                    f"cause issues in code generators that use similar naming conventions to generate {side} types."
                )
                yield warning("OperationNameAmbiguity", shape, message)
