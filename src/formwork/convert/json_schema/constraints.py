"""Constraint traits to keywords: pattern, range, length and unique items."""

from typing import Any

from formwork.smithy.shapes import Shape, ShapeType

_BOUNDS = {
    ShapeType.LIST: ("minItems", "maxItems"),
    ShapeType.SET: ("minItems", "maxItems"),
    ShapeType.MAP: ("minProperties", "maxProperties"),
}


def add_constraints(schema: dict[str, Any], shape: Shape, target: Shape) -> None:
    """Add what the traits of `shape`, or of the `target` that a member has, ask for."""
    pattern = _either(shape, target, "pattern")
    if pattern is not None:
        schema["pattern"] = pattern
    _add_bounds(schema, _either(shape, target, "range"), ("minimum", "maximum"))
    _add_bounds(schema, _either(shape, target, "length"), _BOUNDS.get(target.type, ("minLength", "maxLength")))
    if _either(shape, target, "uniqueItems") is not None:
        schema["uniqueItems"] = True


def _either(shape: Shape, target: Shape, trait: str) -> Any:
    return shape.trait(trait) if shape.has_trait(trait) else target.trait(trait)


def _add_bounds(schema: dict[str, Any], bounds: Any, keywords: tuple[str, str]) -> None:
    if not isinstance(bounds, dict):
        return
    for name, keyword in zip(("min", "max"), keywords, strict=True):
        if bounds.get(name) is not None:
            schema[keyword] = bounds[name]
