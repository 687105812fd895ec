"""TraitConflict and ExclusiveStructureMemberTrait: incompatible traits."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shape_ids import PRELUDE, display_trait
from formwork.smithy.shapes import Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, quoted


def trait_conflicts(validation: Validation) -> Iterator[Event]:
    """Report traits on one shape that declare a conflict, in either direction or both."""
    conflicts = {
        trait: frozenset(each if "#" in each else f"{PRELUDE}#{each}" for each in declared)
        for trait, definition in validation.model.trait_definitions.items()
        if (declared := (definition.trait("trait") or {}).get("conflicts"))
    }
    affected = {shape.id: shape for trait in conflicts for shape in validation.model.appliers.get(trait, ())}
    for shape in affected.values():
        found = sorted(
            f"`{display_trait(trait)}` conflicts with `{display_trait(other)}`"
            for trait in shape.traits
            for other in conflicts.get(trait, frozenset()) & shape.traits.keys()
        )
        if found:
            message = f"Found conflicting traits on {shape.type} shape: {', '.join(found)}"
            yield error("TraitConflict", shape, message)


def exclusive_members(validation: Validation) -> Iterator[Event]:
    """Check traits that only one member of a structure may have, or only one member's target."""
    model = validation.model
    for trait, definition in model.trait_definitions.items():
        exclusive = (definition.trait("trait") or {}).get("structurallyExclusive")
        if exclusive not in ("member", "target") or not model.appliers.get(trait):
            continue
        for shape in model.of_type(ShapeType.STRUCTURE):
            yield from _check(validation, shape, trait, by_target=exclusive == "target")


def _check(validation: Validation, shape: Shape, trait: str, *, by_target: bool) -> Iterator[Event]:
    names: list[str] = []
    for name, member in shape.members.items():
        holder: Shape | None = validation.model.target(member) if by_target else member
        if holder is not None and trait in holder.traits:
            names.append(name)
    if len(names) < 2:
        return
    if by_target:
        what = f"Only a single member of a structure can target a shape marked with the `{display_trait(trait)}` trait"
    else:
        what = f"The `{display_trait(trait)}` trait can be applied to only a single member of a shape"
    found = quoted(sorted(names))
    yield error("ExclusiveStructureMemberTrait", shape, f"{what}, but it was found on the following members: {found}")
