"""Shapes turned into shapes of other types."""

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import BadInputError
from formwork.smithy.model import Model
from formwork.smithy.shape_ids import UNIT, is_identifier
from formwork.smithy.shapes import MemberShape, Shape, ShapeType

_SEPARATORS = re.compile(r"[\s.:]+")
_ENUM = "smithy.api#enum"


def change_types(model: Model, arguments: Mapping[str, Any]) -> Model:
    """`shapeTypes` maps shape ids to the types they get."""
    wanted: Mapping[str, str] = arguments.get("shapeTypes", {})
    known = {str(each) for each in ShapeType}
    for shape_id, type_name in wanted.items():
        if type_name not in known:
            message = f'changeTypes cannot make "{shape_id}" a "{type_name}": there is no such type'
            raise BadInputError.of("smithy.bad-transform", message)
    return model.with_shapes(
        replace(shape, type=ShapeType(wanted[shape.id])) if shape.id in wanted else shape
        for shape in model.shapes.values()
    )


def string_enums_to_enums(model: Model, arguments: Mapping[str, Any]) -> Model:
    """Strings with the trait @enum become enums; `synthesizeNames` makes names for values that have none."""
    synthesize = bool(arguments.get("synthesizeNames", False))
    return model.with_shapes(_enum(shape, synthesize=synthesize) for shape in model.shapes.values())


def _enum(shape: Shape, *, synthesize: bool) -> Shape:
    entries = shape.trait("enum")
    if shape.type is not ShapeType.STRING or not isinstance(entries, list):
        return shape
    members: dict[str, MemberShape] = {}
    for entry in entries:
        name = entry.get("name") or (_SEPARATORS.sub("_", entry["value"]) if synthesize else "")
        if not is_identifier(name):
            return shape
        members[name] = _member(shape, name, entry)
    traits = {trait: value for trait, value in shape.traits.items() if trait != _ENUM}
    own = {trait: value for trait, value in shape.own_traits.items() if trait != _ENUM}
    return replace(shape, type=ShapeType.ENUM, members=members, traits=traits, own_traits=own)


def _member(shape: Shape, name: str, entry: Mapping[str, Any]) -> MemberShape:
    traits: dict[str, Any] = {"smithy.api#enumValue": entry["value"]}
    if entry.get("documentation"):
        traits["smithy.api#documentation"] = entry["documentation"]
    if entry.get("tags"):
        traits["smithy.api#tags"] = entry["tags"]
    if entry.get("deprecated"):
        traits["smithy.api#deprecated"] = {}
    return MemberShape(
        id=f"{shape.id}${name}",
        type=ShapeType.MEMBER,
        place=shape.place,
        traits=traits,
        own_traits=traits,
        target=UNIT,
        container=shape.id,
        member_name=name,
    )
