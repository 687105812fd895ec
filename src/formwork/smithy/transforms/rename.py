"""Shapes under other ids, wherever they are named."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import BadInputError
from formwork.smithy.model import Model
from formwork.smithy.reachable import reachable_from
from formwork.smithy.shape_ids import PRELUDE
from formwork.smithy.shapes import OperationShape, ResourceShape, ServiceShape, Shape

Renames = Mapping[str, str]


def rename_shapes(model: Model, arguments: Mapping[str, Any]) -> Model:
    """`renamed` maps old ids to new ones."""
    return _rename(model, {str(old): str(new) for old, new in arguments.get("renamed", {}).items()})


def flatten_namespaces(model: Model, arguments: Mapping[str, Any]) -> Model:
    """Return what `service` leads to, all in `namespace`; the renames of the service apply."""
    namespace, service_id = arguments.get("namespace"), arguments.get("service")
    service = model.get(service_id) if isinstance(service_id, str) else None
    if not isinstance(namespace, str) or not isinstance(service, ServiceShape):
        message = "flattenNamespaces needs `namespace` and a `service` that is in the model"
        raise BadInputError.of("smithy.bad-transform", message)
    keep_traits = set(arguments.get("includeTagged", ()))
    names = {
        shape_id: f"{namespace}#{service.rename.get(shape_id, shape_id.partition('#')[2])}"
        for shape_id in reachable_from(model, [service.id])
        if not shape_id.startswith(f"{PRELUDE}#")
    }
    tagged = (each for each in model.shapes.values() if not keep_traits.isdisjoint(each.trait("tags") or ()))
    names |= {each.id: f"{namespace}#{each.name}" for each in tagged}
    return _rename(model, names)


def _rename(model: Model, names: Renames) -> Model:
    return model.with_shapes(_renamed(shape, names) for shape in model.shapes.values())


def _renamed(shape: Shape, names: Renames) -> Shape:
    def new(shape_id: str) -> str:
        root, dollar, member = shape_id.partition("$")
        return names.get(root, root) + dollar + member

    def news(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(new, ids))

    def values(ids: Mapping[str, str]) -> dict[str, str]:
        return {key: new(each) for key, each in ids.items()}

    members = {
        name: replace(
            each,
            id=new(each.id),
            container=new(each.container),
            target=new(each.target),
            mixins=news(each.mixins),
            **_traits(each, names),
        )
        for name, each in shape.members.items()
    }
    shape = replace(shape, id=new(shape.id), members=members, mixins=news(shape.mixins), **_traits(shape, names))
    match shape:
        case OperationShape():
            return replace(
                shape,
                input=new(shape.input),
                output=new(shape.output),
                errors=news(shape.errors),
                own_errors=news(shape.own_errors),
            )
        case ResourceShape():
            return replace(
                shape,
                identifiers=values(shape.identifiers),
                properties=values(shape.properties),
                lifecycle=values(shape.lifecycle),
                operations=news(shape.operations),
                collection_operations=news(shape.collection_operations),
                resources=news(shape.resources),
            )
        case ServiceShape():
            return replace(
                shape,
                operations=news(shape.operations),
                resources=news(shape.resources),
                errors=news(shape.errors),
                rename={new(key): each for key, each in shape.rename.items()},
                own=_node(shape.own, names),
            )
        case _:
            return shape


def _traits(shape: Shape, names: Renames) -> dict[str, Any]:
    return {
        "traits": {names.get(trait, trait): _node(value, names) for trait, value in shape.traits.items()},
        "own_traits": {names.get(trait, trait): _node(value, names) for trait, value in shape.own_traits.items()},
        "trait_places": {names.get(trait, trait): place for trait, place in shape.trait_places.items()},
    }


def _node(value: Any, names: Renames) -> Any:
    """Return a trait value in which whole strings that are renamed ids are replaced."""
    match value:
        case str():
            root, dollar, member = value.partition("$")
            return names[root] + dollar + member if root in names else value
        case list():
            return [_node(each, names) for each in value]
        case dict():
            return {_node(key, names): _node(each, names) for key, each in value.items()}
        case _:
            return value
