"""Trait values of the wrong type altogether: such a trait isn't applied at all."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from formwork.smithy.definitions import ShapeDefinition
from formwork.smithy.events import Event, model_error
from formwork.smithy.loading.traits import MergedTraits
from formwork.smithy.nodes import Node, type_name
from formwork.smithy.shape_ids import display_trait, is_absolute
from formwork.smithy.shapes import NUMBER_TYPES, MemberShape, Shape, ShapeType

# Traits of these namespaces are known by heart; those of others are checked as any value is, when validating.
_KNOWN = ("smithy.api#", "aws.", "smithy.protocols#", "smithy.test#")

_NODE_TYPES = {
    **dict.fromkeys((ShapeType.STRING, ShapeType.ENUM, ShapeType.BLOB), "string"),
    **dict.fromkeys((ShapeType.LIST, ShapeType.SET), "array"),
    **dict.fromkeys((ShapeType.MAP, ShapeType.STRUCTURE, ShapeType.UNION), "object"),
    **dict.fromkeys(NUMBER_TYPES, "number"),
    ShapeType.BOOLEAN: "boolean",
}


class TraitForm(Struct, frozen=True):
    """The definition of a trait before the model is complete: its type, its members, the required ones."""

    type: ShapeType
    members: tuple[str, ...]
    required: tuple[str, ...]


FindForm = Callable[[str], TraitForm | None]


def form_finder(definitions: Mapping[str, ShapeDefinition], base: Mapping[str, Shape]) -> FindForm:
    """Forms of traits, from definitions that have their traits, or from shapes that are there."""
    cache: dict[str, TraitForm | None] = {}

    def find(trait: str) -> TraitForm | None:
        if trait not in cache:
            cache[trait] = _form(definitions.get(trait), base.get(trait))
        return cache[trait]

    return find


def _form(definition: ShapeDefinition | None, shape: Shape | None) -> TraitForm | None:
    if definition is not None:
        required = tuple(
            name for name in definition.members if "smithy.api#required" in definition.member_traits.get(name, {})
        )
        return TraitForm(definition.type, tuple(definition.members), required)
    if shape is None:
        return None
    required = tuple(name for name, member in shape.members.items() if member.has_trait("required"))
    return TraitForm(shape.type, tuple(shape.members), required)


def drop_malformed(merged: MergedTraits, find_form: FindForm, base: Mapping[str, Shape]) -> Iterator[Event]:
    """Take out traits whose values cannot be what they must be, with an error each.

    Values inside values are looked at where the trait is defined in `base`.
    """
    for target, values in merged.values.items():
        for trait in [each for each in values if each.startswith(_KNOWN)]:
            form = find_form(trait)
            problem = _problem(form, values[trait]) if form is not None else None
            if problem is None and trait in base and (base[trait].members and values[trait]):
                problem = _problem_inside(base, base[trait], values[trait])
            if problem is not None:
                place = merged.places[target][trait]
                message = f"Error creating trait `{display_trait(trait)}`: {problem}"
                del values[trait]
                yield model_error(message, shape=target, place=place)


def _problem(form: TraitForm, value: Node) -> str | None:
    expected, found = _NODE_TYPES.get(form.type), type_name(value)
    if expected is None:
        return None
    if found != expected:
        if form.type is ShapeType.STRUCTURE and not form.members:
            # Two blanks, as other Smithy tools have them.
            return f"Annotation traits  must be an object or omitted in the IDL, but found {found}"
        return f"Expected {expected}, but found {found}."
    if form.type is not ShapeType.STRUCTURE:
        return None
    missing = next((name for name in form.required if name not in value), None)
    return None if missing is None else f"Missing expected member `{missing}`."


def _problem_inside(base: Mapping[str, Shape], shape: Shape, value: Node) -> str | None:
    """Return the first value of the wrong type inside a value of the right one."""
    for name, member, each in _parts(shape, value):
        target = base.get(member.target)
        expected, found = _NODE_TYPES.get(target.type) if target is not None else None, type_name(each)
        if target is None or expected is None:
            continue
        if found != expected:
            return _wrong_part(shape, name, member, expected, found)
        is_id = target.has_trait("idRef") or member.has_trait("idRef")
        if is_id and isinstance(each, str) and not is_absolute(each):
            return f"Invalid shape ID: {each}"
        problem = _problem_inside(base, target, each)
        if problem is not None:
            return problem
    return None


def _parts(shape: Shape, value: Node) -> Iterator[tuple[str | int, MemberShape, Node]]:
    match shape.type, value:
        case ((ShapeType.STRUCTURE | ShapeType.UNION), dict()):
            yield from ((name, shape.members[name], each) for name, each in value.items() if name in shape.members)
        case ShapeType.MAP, dict():
            yield from ((name, shape.members["value"], each) for name, each in value.items())
        case ((ShapeType.LIST | ShapeType.SET), list()):
            yield from ((index, shape.members["member"], each) for index, each in enumerate(value))
        case _:
            pass


def _wrong_part(shape: Shape, name: str | int, member: MemberShape, expected: str, found: str) -> str:
    if isinstance(name, int):
        return f"Expected array element {name} to be a {expected} but found {found}."
    if shape.type is ShapeType.MAP:
        return f"Expected {expected}, but found {found}."
    kind = f"an {expected}" if expected == "array" else f"a {expected}"
    if member.has_trait("required"):
        return f"Expected `{name}` member to be {kind}, but found {found}."
    return f"Expected `{name}` to be {kind}; found {found}"
