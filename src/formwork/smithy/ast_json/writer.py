"""The JSON AST writer: a model to the JSON value that other Smithy tools read."""

from collections.abc import Iterable, Mapping
from typing import Any

from formwork.smithy.model import Model
from formwork.smithy.nodes import Node
from formwork.smithy.shape_ids import PRELUDE
from formwork.smithy.shapes import (
    LIFECYCLES,
    SIMPLE_TYPES,
    MemberShape,
    OperationShape,
    ResourceShape,
    ServiceShape,
    Shape,
    ShapeType,
)

_BOX = "smithy.api#box"


def ast_of(model: Model, *, prelude: bool = False) -> dict[str, Any]:
    """`{"smithy": "2.0", "metadata": …, "shapes": …}`, shapes and traits sorted by id; the prelude only when asked."""
    shapes: dict[str, Any] = {}
    for shape_id in sorted(model.shapes):
        shape = model.shapes[shape_id]
        if prelude or shape.namespace != PRELUDE:
            shapes[shape_id] = _shape(shape)
            shapes.update(_introductions(shape))
    document: dict[str, Any] = {"smithy": "2.0"}
    if model.metadata:
        document["metadata"] = {key: model.metadata[key] for key in sorted(model.metadata)}
    document["shapes"] = {key: shapes[key] for key in sorted(shapes)}
    return document


def _shape(shape: Shape) -> dict[str, Any]:
    # A set is only another way to write a list of unique items.
    as_type = ShapeType.LIST if shape.type is ShapeType.SET else shape.type
    document: dict[str, Any] = {"type": str(as_type)}
    if shape.mixins:
        document["mixins"] = _targets(shape.mixins)
    match shape:
        case OperationShape():
            document |= {"input": {"target": shape.input}, "output": {"target": shape.output}}
            _add_targets(document, "errors", sorted(shape.own_errors))
        case ResourceShape():
            _add_resource(document, shape)
        case ServiceShape():
            _add_service(document, shape.own)
        case _:
            if shape.type not in SIMPLE_TYPES or shape.members:
                _add_members(document, shape)
    _add_traits(document, shape.own_traits)
    return document


def _targets(ids: Iterable[str]) -> list[dict[str, str]]:
    return [{"target": each} for each in ids]


def _add_targets(document: dict[str, Any], key: str, ids: Iterable[str]) -> None:
    targets = _targets(ids)
    if targets:
        document[key] = targets


def _add_members(document: dict[str, Any], shape: Shape) -> None:
    members = {name: _member(member) for name, member in shape.members.items() if not member.mixins}
    if shape.type in (ShapeType.LIST, ShapeType.SET, ShapeType.MAP):
        document |= members
    else:
        document["members"] = members


def _member(member: MemberShape) -> dict[str, Any]:
    document: dict[str, Any] = {"target": member.target}
    _add_traits(document, member.own_traits)
    return document


def _add_resource(document: dict[str, Any], shape: ResourceShape) -> None:
    if shape.identifiers:
        document["identifiers"] = {name: {"target": target} for name, target in shape.identifiers.items()}
    if shape.properties:
        document["properties"] = {name: {"target": target} for name, target in shape.properties.items()}
    for lifecycle in LIFECYCLES:
        if lifecycle in shape.lifecycle:
            document[lifecycle] = {"target": shape.lifecycle[lifecycle]}
    _add_targets(document, "operations", sorted(set(shape.operations)))
    _add_targets(document, "collectionOperations", sorted(set(shape.collection_operations)))
    _add_targets(document, "resources", sorted(set(shape.resources)))


def _add_service(document: dict[str, Any], own: Mapping[str, Node]) -> None:
    if own.get("version"):
        document["version"] = own["version"]
    for key in ("operations", "resources", "errors"):
        _add_targets(document, key, sorted(set(own.get(key, ()))))
    if own.get("rename"):
        document["rename"] = dict(own["rename"])


def _add_traits(document: dict[str, Any], traits: Mapping[str, Node]) -> None:
    kept = {trait: traits[trait] for trait in sorted(traits) if trait != _BOX}
    if kept:
        document["traits"] = kept


def _introductions(shape: Shape) -> dict[str, Any]:
    """Traits that a shape adds to members it has from mixins: apply statements of their own."""
    return {
        member.id: {"type": "apply", "traits": {trait: member.own_traits[trait] for trait in sorted(member.own_traits)}}
        for member in shape.members.values()
        if member.mixins and member.own_traits
    }
