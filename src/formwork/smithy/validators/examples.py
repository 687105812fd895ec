"""ExamplesTrait: examples of operations show inputs, outputs and errors that the operation can have."""

from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import Node, expect_object
from formwork.smithy.shapes import OperationShape, Shape
from formwork.smithy.validators.context import Validation, error
from formwork.smithy.values.check import check_value

_TRAIT = "smithy.api#examples"


def examples(validation: Validation) -> Iterator[Event]:
    """Check every example of every operation."""
    for operation in validation.model.operations:
        listed = operation.trait("examples")
        for example in listed if isinstance(listed, list) else ():
            if isinstance(example, dict):
                yield from _check_example(validation, operation, example)


def _check_example(validation: Validation, operation: OperationShape, example: dict[str, Node]) -> Iterator[Event]:
    title = example.get("title")
    if example.get("allowConstraintErrors") and "error" not in example:
        message = f"Example: `{title}` has allowConstraintErrors enabled, so error must be defined."
        yield error("ExamplesTrait", operation, message, trait=_TRAIT)
    given = validation.bindings.input_of(operation)
    yield from _check_part(validation, operation, example, ("input", example.get("input", {}), given))
    if "output" in example and "error" in example:
        message = f"Example: `{title}` has both output and error defined, only one should be present."
        yield error("ExamplesTrait", operation, message, trait=_TRAIT)
    elif "output" in example:
        output = validation.bindings.output_of(operation)
        yield from _check_part(validation, operation, example, ("output", example["output"], output))
    elif "error" in example:
        yield from _check_error(validation, operation, example)


def _check_error(validation: Validation, operation: OperationShape, example: dict[str, Node]) -> Iterator[Event]:
    failure = expect_object(example["error"])
    shape_id = str(failure.get("shapeId"))
    shape = validation.model.get(shape_id)
    if shape is None or not _can_fail_with(validation, operation, shape_id):
        message = f"Error parameters provided for operation without the `{shape_id}` error: `{example.get('title')}`"
        yield error("ExamplesTrait", operation, message, trait=_TRAIT)
    else:
        yield from _check_part(validation, operation, example, ("error", failure.get("content", {}), shape))


def _can_fail_with(validation: Validation, operation: OperationShape, shape_id: str) -> bool:
    """Return whether the operation has an error, or every service with that operation has it."""
    if shape_id in operation.errors:
        return True
    services = [each for each in validation.model.services if operation.id in validation.closure(each)]
    return bool(validation.model.services) and all(shape_id in each.errors for each in services)


def _check_part(
    validation: Validation, operation: OperationShape, example: dict[str, Node], part: tuple[str, Node, Shape | None]
) -> Iterator[Event]:
    name, value, shape = part
    if shape is None:
        return
    lenient = bool(example.get("allowConstraintErrors"))
    for finding in check_value(validation.values, value, shape):
        event_id = f"ExamplesTrait.{finding.suffix}" if finding.suffix else "ExamplesTrait"
        severity = EventSeverity.WARNING if lenient and finding.of_constraint else finding.severity
        message = f"Example {name} of `{example.get('title')}`{finding.where}: {finding.message}"
        yield Event(event_id, severity, message, operation.id, operation.trait_place(_TRAIT))
