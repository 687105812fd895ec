"""DeprecatedTrait, DeprecatedShape, ModelDeprecation and UnstableTrait: what may be used and better isn't."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.nodes import expect_object
from formwork.smithy.shape_ids import PRELUDE
from formwork.smithy.shapes import Shape, ShapeType
from formwork.smithy.validators.context import Validation, warning

_DEPRECATED = "smithy.api#deprecated"


def deprecated_traits(validation: Validation) -> Iterator[Event]:
    """Report applications of deprecated traits."""
    for trait, definition in validation.model.trait_definitions.items():
        # What loading says about @enum in the second version of the language is enough.
        if not definition.has_trait("deprecated") or trait == "smithy.api#enum":
            continue
        text = expect_object(definition.trait("deprecated")).get("message")
        for shape in _appliers(validation, trait):
            message = f"This shape applies a trait that is deprecated: {trait}{f', {text}' if text is not None else ''}"
            yield warning("DeprecatedTrait", shape, message, trait=trait)


def unstable_traits(validation: Validation) -> Iterator[Event]:
    """Report applications of unstable traits."""
    for trait, definition in validation.model.trait_definitions.items():
        if definition.has_trait("unstable"):
            for shape in _appliers(validation, trait):
                message = f"This shape applies a trait that is unstable: {trait}"
                yield warning(f"UnstableTrait.{trait}", shape, message, trait=trait)


def deprecated_shapes(validation: Validation) -> Iterator[Event]:
    """Report members and mixins that target deprecated shapes, except those of deprecated shapes."""
    model = validation.model
    deprecated = {shape.id: shape for shape in model.with_trait("deprecated")}
    for shape in model.shapes.values():
        for mixin in shape.mixins:
            if mixin in deprecated and _DEPRECATED not in shape.own_traits:
                message = f"Applies a deprecated mixin, {mixin}{_reason(deprecated[mixin])}"
                yield warning(f"DeprecatedShape.{mixin}", shape, message)
        for member in shape.members.values():
            target = deprecated.get(member.target)
            if target is not None and _DEPRECATED not in shape.own_traits and not member.has_trait("deprecated"):
                message = f"Member targets a deprecated shape, {target.id}{_reason(target)}"
                yield warning(f"DeprecatedShape.{target.id}", member, message)


def set_shapes(validation: Validation) -> Iterator[Event]:
    """Report sets, which only version 1 of the language has."""
    for shape in validation.model.of_type(ShapeType.SET):
        message = (
            "Set shapes are deprecated and have been removed in Smithy IDL v2. Use a list shape with the @uniqueItems "
            "trait instead."
        )
        yield warning("ModelDeprecation", shape, message)


def _appliers(validation: Validation, trait: str) -> Iterator[Shape]:
    return (each for each in validation.model.appliers.get(trait, ()) if each.namespace != PRELUDE)


def _reason(shape: Shape) -> str:
    value = shape.trait("deprecated") or {}
    message = f". {value['message']}" if value.get("message") else ""
    since = f" (since {value['since']})" if value.get("since") else ""
    return message + since
