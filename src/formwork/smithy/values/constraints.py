"""Values and the constraint traits of the shapes and members they are for."""

import re
from collections.abc import Iterator
from functools import cache

import regex
from msgspec.structs import replace

from formwork.smithy.events import EventSeverity
from formwork.smithy.nodes import Node, exact, is_number, nodes_equal, render_node, render_number
from formwork.smithy.selectors import SelectorSyntaxError, select
from formwork.smithy.shape_ids import is_absolute
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.values.findings import ValueContext, ValueFinding

# A pattern that takes longer on a trait's value is given up on: models are not to be trusted.
_MATCH_SECONDS = 1.0
_LINE_END = re.compile(r"\s*\n\s*")
_SIZES = {
    ShapeType.LIST: "elements",
    ShapeType.SET: "elements",
    ShapeType.MAP: "entries",
    ShapeType.BLOB: "bytes",
}


def check_constraints(context: ValueContext, value: Node, shape: Shape, target: Shape) -> Iterator[ValueFinding]:
    """Yield what the constraints of `shape` (a member that targets `target`, or `target` itself) say about a value.

    A value has to meet the constraints of the member and of its target alike.
    """
    traits = shape.traits
    if not traits and target.type is not ShapeType.ENUM:
        return

    yield from (replace(each, of_constraint=True) for each in _check_limits(context, value, shape, target))
    if "smithy.api#idRef" in traits:
        yield from _check_reference(context, value, shape)
    if shape is target:
        yield from _check_choices(value, shape)
    if "smithy.api#uniqueItems" in traits:
        yield from _check_unique(value, shape)


def _check_limits(context: ValueContext, value: Node, shape: Shape, target: Shape) -> Iterator[ValueFinding]:
    if "smithy.api#length" in shape.traits:
        yield from _check_length(value, shape, target)
    if "smithy.api#range" in shape.traits:
        yield from _check_range(context, value, shape)
    if "smithy.api#pattern" in shape.traits:
        yield from _check_pattern(value, shape)


def _check_length(value: Node, shape: Shape, target: Shape) -> Iterator[ValueFinding]:
    if not isinstance(value, str | list | dict):
        return
    bounds, size = shape.trait("length"), len(value)
    low, high = bounds.get("min"), bounds.get("max")
    if isinstance(value, str) and target.type is not ShapeType.BLOB:
        if low is not None and size < low:
            yield ValueFinding(
                (),
                f"String value provided for `{shape.id}` must be >= {low} characters, but the provided value is only "
                f"{size} characters.",
            )
        if high is not None and size > high:
            yield ValueFinding(
                (),
                f"String value provided for `{shape.id}` must be <= {high} characters, but the provided value is "
                f"{size} characters.",
            )
        return
    unit = _SIZES.get(target.type, "elements")
    if isinstance(value, str):
        size = len(value.encode("utf-8", "surrogatepass"))
    if low is not None and size < low:
        yield ValueFinding(
            (),
            f"Value provided for `{shape.id}` must have at least {low} {unit}, but the provided value only has "
            f"{size} {unit}",
        )
    if high is not None and size > high:
        yield ValueFinding(
            (),
            f"Value provided for `{shape.id}` must have no more than {high} {unit}, but the provided value has "
            f"{size} {unit}",
        )


def _check_range(context: ValueContext, value: Node, shape: Shape) -> Iterator[ValueFinding]:
    bounds = shape.trait("range")
    if isinstance(value, str):
        yield from _check_non_numeric(value, shape, bounds)
    if not is_number(value):
        return
    lenient = context.zero_ignores_range and value == 0
    severity = EventSeverity.WARNING if lenient else EventSeverity.ERROR
    suffix = f"{'Member' if isinstance(shape, MemberShape) else 'Target'}.InvalidRange"
    found = render_number(value)
    low, high = bounds.get("min"), bounds.get("max")
    if low is not None and exact(value) < exact(low):
        message = (
            f"Value provided for `{shape.id}` must be greater than or equal to {render_number(low)}, but found {found}"
        )
        yield ValueFinding((), message, severity, suffix)
    if high is not None and exact(value) > exact(high):
        message = (
            f"Value provided for `{shape.id}` must be less than or equal to {render_number(high)}, but found {found}"
        )
        yield ValueFinding((), message, severity, suffix)


def _check_non_numeric(value: str, shape: Shape, bounds: dict[str, Node]) -> Iterator[ValueFinding]:
    suffix = f"{'Member' if isinstance(shape, MemberShape) else 'Target'}.InvalidRange"
    start = f"Value provided for `{shape.id}` must be"
    low, high = bounds.get("min"), bounds.get("max")
    if value == "NaN":
        message = f'{start} a number because the `smithy.api#range` trait is applied, but found "{value}"'
        yield ValueFinding((), message)
    if value == "-Infinity" and low is not None:
        message = f'{start} greater than or equal to {render_number(low)}, but found "{value}"'
        yield ValueFinding((), message, suffix=suffix)
    if value == "Infinity" and high is not None:
        message = f'{start} less than or equal to {render_number(high)}, but found "{value}"'
        yield ValueFinding((), message, suffix=suffix)


@cache
def _compiled(pattern: str) -> "regex.Pattern[str] | None":
    try:
        return regex.compile(pattern, flags=regex.V0)
    except regex.error:
        return None


def _check_pattern(value: Node, shape: Shape) -> Iterator[ValueFinding]:
    pattern = shape.trait("pattern")
    compiled = _compiled(pattern) if isinstance(value, str) else None
    if compiled is None:
        return
    try:
        found = compiled.search(value, timeout=_MATCH_SECONDS)
    except TimeoutError:
        return
    if found is None:
        yield ValueFinding((), f"String value provided for `{shape.id}` must match regular expression: {pattern}")


def _check_choices(value: Node, shape: Shape) -> Iterator[ValueFinding]:
    if shape.type is ShapeType.ENUM:
        choices = [member.trait("enumValue") for member in shape.members.values()]
    elif shape.type is ShapeType.STRING and shape.has_trait("enum"):
        choices = [each.get("value") for each in shape.trait("enum")]
    elif shape.type is ShapeType.INT_ENUM:
        numbers = [member.trait("enumValue") for member in shape.members.values()]
        if is_number(value) and not any(nodes_equal(value, each) for each in numbers):
            listed = ", ".join(f"`{render_node(each)}`" for each in sorted(numbers))
            message = (
                f"Integer value provided for `{shape.id}` must be one of the following values: {listed}, but found "
                f"{render_node(value)}"
            )
            yield ValueFinding((), message)
        return
    else:
        return
    if isinstance(value, str) and value not in choices:
        listed = ", ".join(f"`{each}`" for each in sorted(map(str, choices)))
        yield ValueFinding((), f"String value provided for `{shape.id}` must be one of the following values: {listed}")


def _check_unique(value: Node, shape: Shape) -> Iterator[ValueFinding]:
    if not isinstance(value, list):
        return
    seen: set[str] = set()
    repeated: list[str] = []
    for each in value:
        text = render_node(each)
        if text in seen and text not in repeated:
            repeated.append(text)
        seen.add(text)
    if repeated:
        yield ValueFinding(
            (),
            f"Value provided for `{shape.id}` must have unique items, but the following items had multiple entries: "
            f"[{', '.join(f'`{each}`' for each in repeated)}]",
        )


def _check_reference(context: ValueContext, value: Node, shape: Shape) -> Iterator[ValueFinding]:
    if not isinstance(value, str):
        return
    reference = shape.trait("idRef")
    problem = _reference_problem(context, value, reference)
    if problem is not None:
        # The trait's own message is for shape ids that don't fit, not for other text.
        custom = reference.get("errorMessage") if is_absolute(value) else None
        yield ValueFinding((), custom or problem)


def _reference_problem(context: ValueContext, value: str, reference: dict[str, Node]) -> str | None:
    if not is_absolute(value):
        return f"Invalid shape ID: {value}"
    if context.model.get(value) is None:
        return f"Shape ID `{value}` was not found in the model" if reference.get("failWhenMissing") else None
    selector = reference.get("selector", "*")
    if selector == "*":
        return None
    if value in _selected(context, selector):
        return None
    return f"Shape ID `{value}` does not match selector `{_LINE_END.sub(' ', selector).strip()}`"


def _selected(context: ValueContext, selector: str) -> frozenset[str]:
    found = context.selected.get(selector)
    if found is None:
        try:
            found = frozenset(select(context.model, selector, neighbors=context.neighbors))
        except SelectorSyntaxError:
            found = frozenset()
        context.selected[selector] = found
    return found
