"""TraitValue: the value of a trait fits the shape that defines it."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shape_ids import display_trait
from formwork.smithy.shapes import Shape, ShapeType
from formwork.smithy.validators.context import Validation
from formwork.smithy.values.check import check_value

# Of these the value may be anything, or is checked where what it means is known.
_UNCHECKED = frozenset(("smithy.api#enumValue", "smithy.api#default"))


def trait_values(validation: Validation) -> Iterator[Event]:
    """Check every value of every trait that is defined."""
    definitions = validation.model.trait_definitions
    checked = {
        trait: definition
        for trait, definition in definitions.items()
        if trait not in _UNCHECKED and not _takes_anything(definition)
    }
    for trait, definition in checked.items():
        for shape in validation.model.appliers.get(trait, ()):
            if shape.namespace != "smithy.api" and (trait in shape.own_traits or not shape.mixins):
                yield from _check(validation, shape, trait, definition)


def _takes_anything(definition: Shape) -> bool:
    """Return whether checking could find nothing: a bare string has been checked when the trait was read."""
    is_prelude = definition.namespace == "smithy.api"
    return definition.type is ShapeType.DOCUMENT or (
        is_prelude and definition.type is ShapeType.STRING and definition.traits.keys() <= {"smithy.api#trait"}
    )


def _check(validation: Validation, shape: Shape, trait: str, definition: Shape) -> Iterator[Event]:
    for finding in check_value(validation.values, shape.traits[trait], definition):
        event_id = f"TraitValue.{finding.suffix}" if finding.suffix else "TraitValue"
        message = f"Error validating trait `{display_trait(trait)}`{finding.where}: {finding.message}"
        yield Event(event_id, finding.severity, message, shape.id, shape.trait_place(trait))
