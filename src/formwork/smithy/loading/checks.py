"""What a definition must have to become a shape, whatever else is in the model."""

from collections.abc import Iterator, Mapping

from formwork.smithy.definitions import ShapeDefinition, Version
from formwork.smithy.events import Event, EventSeverity, model_error
from formwork.smithy.shapes import MemberShape, Shape, ShapeType

_FIXED = {ShapeType.LIST: ("member",), ShapeType.SET: ("member",), ShapeType.MAP: ("key", "value")}


def check_definition(
    definition: ShapeDefinition, members: Mapping[str, MemberShape], mixins: list[Shape]
) -> list[Event]:
    """Return events about a definition and its final members; with an ERROR among them it does not become a shape."""
    return [
        model_error(message, shape=definition.id, place=definition.place)
        for message in (
            *_version_problems(definition),
            *_member_problems(definition, members),
            *_mixin_problems(definition, mixins),
        )
    ]


def is_fatal(definition: ShapeDefinition, problems: list[Event]) -> bool:
    """Return whether the shape can't be built; one with a superfluous member is built without it."""
    errors = [each for each in problems if each.severity is EventSeverity.ERROR]
    if definition.type in _FIXED:
        return any("may only" not in each.message for each in errors)
    return bool(errors)


def known_members(definition: ShapeDefinition, members: dict[str, MemberShape]) -> dict[str, MemberShape]:
    """Return the members that a shape of that type may have."""
    names = _FIXED.get(definition.type)
    return members if names is None else {name: member for name, member in members.items() if name in names}


def _version_problems(definition: ShapeDefinition) -> Iterator[str]:
    match definition.type, definition.version:
        case ((ShapeType.ENUM | ShapeType.INT_ENUM), Version.V1):
            yield f"{definition.type} shapes cannot be used in Smithy version 1.0"
        case ShapeType.SET, Version.V2:
            yield "set shapes cannot be used in Smithy version 2.0"
        case ShapeType.RESOURCE, Version.V1 if "properties" in definition.properties:
            yield "Resource properties can only be used with Smithy version 2 or later."
    if definition.mixins and definition.version is Version.V1:
        yield (
            "Mixins can only be used with Smithy version 2 or later. "
            f"Attempted to use mixins with version `{definition.version}`."
        )


def _member_problems(definition: ShapeDefinition, members: Mapping[str, MemberShape]) -> Iterator[str]:
    if definition.type in (ShapeType.ENUM, ShapeType.INT_ENUM):
        if not members:
            entries = "at least one entry" if definition.type is ShapeType.ENUM else "at least one member"
            subject = "enum" if definition.type is ShapeType.ENUM else "intEnum shapes"
            yield f"{subject} must have {entries}"
        return
    names = _FIXED.get(definition.type)
    if names is None:
        return
    quoted = " and ".join(f"`{name}`" for name in names)
    for name in members:
        if name not in names:
            plural = "members" if len(names) > 1 else "member"
            article = "" if len(names) > 1 else "a "
            yield f"{definition.type.capitalize()} shapes may only have {article}{quoted} {plural}, but found `{name}`"
    missing = [name for name in names if name not in members and not _was_elided_in_vain(definition, name)]
    if missing:
        plural = "members" if len(missing) > 1 else "member"
        yield f"Missing required {plural} of shape `{definition.id}`: {', '.join(missing)}"


def _was_elided_in_vain(definition: ShapeDefinition, name: str) -> bool:
    """Return an elided member that found no target was reported already."""
    return name in definition.members and definition.members[name].target is None


def _mixin_problems(definition: ShapeDefinition, mixins: list[Shape]) -> Iterator[str]:
    others = [each.id for each in mixins if each.type is not definition.type]
    if others:
        listed = ", ".join(f"`{each}`" for each in others)
        yield (
            f"Mixins may only be mixed into shapes of the same type. The following mixins were applied to the "
            f"{definition.type} shape `{definition.id}` which are not {definition.type} shapes: [{listed}]"
        )
    if "smithy.api#mixin" not in definition.traits:
        return
    properties = definition.properties
    if definition.type is ShapeType.OPERATION and {"input", "output"} & _modelled_io(definition):
        yield (
            "Operation shapes with the mixin trait MUST target `smithy.api#Unit` for their input and output. "
            f"Operation mixin shape `{definition.id}` defines one or both of these properties."
        )
    if definition.type is ShapeType.RESOURCE and any(properties.values()):
        yield (
            "Resource shapes with the mixin trait may not define any properties. "
            f"Resource mixin shape `{definition.id}` defines one or more properties."
        )


def _modelled_io(definition: ShapeDefinition) -> set[str]:
    return {
        name for name in ("input", "output") if definition.properties.get(name, "smithy.api#Unit") != "smithy.api#Unit"
    }
