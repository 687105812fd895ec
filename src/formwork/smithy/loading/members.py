"""The members a shape ends up with: those of its mixins, in order, then its own."""

from collections.abc import Mapping

from formwork.smithy.definitions import ShapeDefinition
from formwork.smithy.events import Event, model_error
from formwork.smithy.nodes import Node
from formwork.smithy.places import SourcePlace
from formwork.smithy.shapes import MemberShape, ResourceShape, Shape, ShapeType

ENUM_VALUE = "smithy.api#enumValue"


def build_members(
    definition: ShapeDefinition, mixins: list[Shape], resource: ResourceShape | None, events: list[Event]
) -> dict[str, MemberShape]:
    """Return every member by name.

    A member that is also inherited keeps the place of the inherited one, adds its traits and must not change the
    target; one whose target is elided takes it from `resource`, else from a mixin.
    """
    inherited: dict[str, list[MemberShape]] = {}
    for mixin in mixins:
        for name, member in mixin.members.items():
            inherited.setdefault(name, []).append(member)
    built: dict[str, MemberShape] = {}
    for name in dict.fromkeys((*inherited, *definition.members)):
        made = _build_member(definition, name, inherited.get(name, []), resource, events)
        if made is not None:
            built[name] = made
    return built


def _build_member(
    definition: ShapeDefinition,
    name: str,
    parents: list[MemberShape],
    resource: ResourceShape | None,
    events: list[Event],
) -> MemberShape | None:
    own = definition.members.get(name)
    member_id = f"{definition.id}${name}"
    target = own.target if own is not None else parents[-1].target
    if own is not None and own.target is None:
        target = _elided_target(name, parents, resource)
        if target is None:
            message = (
                "Member target was elided, but no bound resource or mixin contained a matching identifier or member "
                "name."
            )
            events.append(model_error(message, shape=member_id, place=own.place))
            return None
    conflicting = next((each for each in parents if each.target != target), None)
    if conflicting is not None and definition.type not in (ShapeType.ENUM, ShapeType.INT_ENUM):
        named = conflicting.id if own is not None else member_id
        message = f"Member conflicts with an inherited mixin member: `{named}`"
        place = own.place if own is not None else conflicting.place
        events.append(model_error(message, shape=member_id, place=place))
    own_traits = _own_traits(definition, name, parents)
    return MemberShape(
        id=member_id,
        type=ShapeType.MEMBER,
        place=own.place if own is not None else parents[-1].place,
        traits=mixed_traits(parents, own_traits) if parents else own_traits,
        trait_places=mixed_places(parents, definition.member_trait_places.get(name, {})),
        own_traits=own_traits,
        mixins=tuple(each.id for each in parents),
        target=target or "",
        container=definition.id,
        member_name=name,
    )


def _own_traits(definition: ShapeDefinition, name: str, parents: list[MemberShape]) -> dict[str, Node]:
    traits = definition.member_traits.get(name, {})
    if definition.type is ShapeType.ENUM and not parents and ENUM_VALUE not in traits:
        # A member of an enum that says no value has its own name for one.
        return {**traits, ENUM_VALUE: name}
    if name not in definition.members and not traits:
        # Merged from several mixins it has the traits of the later ones as its own, as other Smithy tools have it.
        return {trait: value for parent in parents[1:] for trait, value in parent.traits.items()}
    return traits


def _elided_target(name: str, parents: list[MemberShape], resource: ResourceShape | None) -> str | None:
    if resource is not None:
        if name in resource.properties:
            return resource.properties[name]
        if name in resource.identifiers:
            return resource.identifiers[name]
    return parents[0].target if parents else None


def mixed_traits(parents: list[Shape] | list[MemberShape], own: Mapping[str, Node]) -> dict[str, Node]:
    """The traits of a shape: of its mixins without what they keep to themselves, later over earlier, then its own."""
    traits: dict[str, Node] = {}
    for parent in parents:
        local = _local_traits(parent)
        traits.update((trait, value) for trait, value in parent.traits.items() if trait not in local)
    traits.update(own)
    return traits


def _local_traits(mixin: Shape) -> set[str]:
    value = mixin.trait("mixin")
    local = value.get("localTraits", ()) if isinstance(value, dict) else ()
    return {"smithy.api#mixin", *local}


def mixed_places(parents: list[Shape] | list[MemberShape], own: Mapping[str, SourcePlace]) -> Mapping[str, SourcePlace]:
    """Return where those traits stand."""
    if not parents:
        return own
    places: dict[str, SourcePlace] = {}
    for parent in parents:
        places.update(parent.trait_places)
    places.update(own)
    return places
