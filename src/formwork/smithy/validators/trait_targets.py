"""TraitTarget: a trait is applied only to what its selector allows."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.selectors import SelectorSyntaxError, matches
from formwork.smithy.shape_ids import PRELUDE, display_trait
from formwork.smithy.validators.context import Validation, error

_LINE_END = re.compile(r"\s*\n\s*")


def trait_targets(validation: Validation) -> Iterator[Event]:
    """Check every application outside the prelude."""
    model = validation.model
    for trait, definition in model.trait_definitions.items():
        if definition.has_trait("mixin"):
            for shape in model.appliers.get(trait, ()):
                message = f"Trait `{display_trait(trait)}` is a mixin and cannot be applied to `{shape.id}`."
                yield error("TraitTarget", shape, message, trait=trait)
        selector = (definition.trait("trait") or {}).get("selector", "*")
        shapes = [each for each in model.appliers.get(trait, ()) if each.namespace != PRELUDE]
        if selector == "*" or not shapes:
            continue
        try:
            allowed = matches(model, selector, shapes, neighbors=validation.neighbors)
        except SelectorSyntaxError as problem:
            yield error("TraitTarget", definition, f"The selector of the trait cannot be read: {problem}")
            continue
        for shape in shapes:
            if shape.id not in allowed:
                message = (
                    f"Trait `{display_trait(trait)}` cannot be applied to `{shape.id}`. This trait may only be "
                    f"applied to shapes that match the following selector: {_LINE_END.sub(' ', selector).strip()}"
                )
                yield error("TraitTarget", shape, message, trait=trait)
