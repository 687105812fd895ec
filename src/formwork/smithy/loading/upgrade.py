"""What version 1.0 meant without saying it: default values of numbers and booleans that weren't boxed."""

from collections.abc import Callable

from formwork.smithy.definitions import ShapeDefinition, Version
from formwork.smithy.nodes import Node
from formwork.smithy.shapes import ShapeType

BOX = "smithy.api#box"
DEFAULT = "smithy.api#default"

ZERO_VALUES: dict[ShapeType, Node] = {
    ShapeType.BOOLEAN: False,
    **dict.fromkeys(
        (
            ShapeType.BYTE,
            ShapeType.SHORT,
            ShapeType.INTEGER,
            ShapeType.LONG,
            ShapeType.FLOAT,
            ShapeType.DOUBLE,
            ShapeType.INT_ENUM,
        ),
        0,
    ),
}

# Type, traits and version of the shape that a member targets; None for an unknown one.
Target = tuple[ShapeType, dict[str, Node], Version]
FindTarget = Callable[[str], Target | None]


def upgrade(definition: ShapeDefinition, find_target: FindTarget) -> None:
    """Add the defaults that a definition of a 1.0 file has; definitions of other files stay as they are."""
    if definition.version is not Version.V1:
        return
    if definition.type in ZERO_VALUES and BOX not in definition.traits and DEFAULT not in definition.traits:
        definition.traits[DEFAULT] = ZERO_VALUES[definition.type]
        definition.trait_places[DEFAULT] = definition.place
    if definition.type is ShapeType.STRUCTURE:
        for name in definition.members:
            _upgrade_member(definition, name, find_target)


def _upgrade_member(definition: ShapeDefinition, name: str, find_target: FindTarget) -> None:
    member = definition.members[name]
    target = find_target(member.target) if member.target is not None else None
    traits = definition.member_traits.setdefault(name, {})
    if target is None or DEFAULT in traits:
        return
    shape_type, target_traits, target_version = target
    boxed = BOX in traits or is_boxed_target(shape_type, target_traits, target_version)
    if not boxed and shape_type in ZERO_VALUES:
        traits[DEFAULT] = ZERO_VALUES[shape_type]
    elif not boxed and shape_type is ShapeType.BLOB and _is_streaming(target_traits) and not _is_required(traits):
        traits[DEFAULT] = ""
    elif BOX in traits:
        traits[DEFAULT] = None
    else:
        return
    definition.member_trait_places.setdefault(name, {})[DEFAULT] = member.place


def is_boxed_target(shape_type: ShapeType, traits: dict[str, Node], version: Version) -> bool:
    """Return whether members that target such a shape are nullable by it: boxed, or of 2.0 without a default."""
    if BOX in traits:
        return True
    return shape_type in ZERO_VALUES and version is Version.V2 and traits.get(DEFAULT) is None


def _is_streaming(traits: dict[str, Node]) -> bool:
    return "smithy.api#streaming" in traits


def _is_required(traits: dict[str, Node]) -> bool:
    return "smithy.api#required" in traits
