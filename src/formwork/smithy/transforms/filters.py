"""Shapes and traits left out; what refers to a shape that is gone goes too, or forgets it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import BadInputError
from formwork.smithy.model import Model
from formwork.smithy.reachable import reachable_from
from formwork.smithy.selectors import SelectorSyntaxError, select
from formwork.smithy.shape_ids import PRELUDE
from formwork.smithy.shapes import OperationShape, ResourceShape, ServiceShape, Shape

Arguments = Mapping[str, Any]


def keep(model: Model, wanted: Callable[[Shape], bool]) -> Model:
    """A model of the wanted root shapes (the prelude stays), without members and bindings that lead to others."""
    kept = {shape_id: shape for shape_id, shape in model.shapes.items() if shape.namespace == PRELUDE or wanted(shape)}
    return model.with_shapes(_without_dangling(shape, kept) for shape in kept.values())


def _without_dangling(shape: Shape, kept: Mapping[str, Shape]) -> Shape:
    members = {name: each for name, each in shape.members.items() if each.target in kept}
    if len(members) != len(shape.members):
        shape = replace(shape, members=members)

    def bound(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for each in ids if each in kept)

    match shape:
        case OperationShape():
            return replace(shape, errors=bound(shape.errors), own_errors=bound(shape.own_errors))
        case ResourceShape():
            return replace(
                shape,
                lifecycle={name: each for name, each in shape.lifecycle.items() if each in kept},
                operations=bound(shape.operations),
                collection_operations=bound(shape.collection_operations),
                resources=bound(shape.resources),
                properties={name: each for name, each in shape.properties.items() if each in kept},
            )
        case ServiceShape():
            operations, resources = bound(shape.operations), bound(shape.resources)
            own = {**shape.own, "operations": list(operations), "resources": list(resources)}
            return replace(shape, errors=bound(shape.errors), own=own, operations=operations, resources=resources)
        case _:
            return shape


def _tags(shape: Shape) -> set[str]:
    return set(shape.trait("tags") or ())


def _strings(arguments: Arguments, key: str) -> set[str]:
    return {str(each) for each in arguments.get(key, ())}


def exclude_shapes_by_tag(model: Model, arguments: Arguments) -> Model:
    """Without shapes that have one of `tags`."""
    tags = _strings(arguments, "tags")
    return keep(model, lambda shape: tags.isdisjoint(_tags(shape)))


def include_shapes_by_tag(model: Model, arguments: Arguments) -> Model:
    """Keep only shapes that have one of `tags`."""
    tags = _strings(arguments, "tags")
    return keep(model, lambda shape: not tags.isdisjoint(_tags(shape)))


def exclude_shapes_by_trait(model: Model, arguments: Arguments) -> Model:
    """Without shapes that have one of `traits`."""
    traits = {each if "#" in each else f"{PRELUDE}#{each}" for each in _strings(arguments, "traits")}
    return keep(model, lambda shape: traits.isdisjoint(shape.traits))


def exclude_shapes_by_selector(model: Model, arguments: Arguments) -> Model:
    """Without shapes that `selector` selects."""
    found = _selected(model, arguments)
    return keep(model, lambda shape: shape.id not in found)


def include_shapes_by_selector(model: Model, arguments: Arguments) -> Model:
    """Keep only shapes that `selector` selects."""
    found = _selected(model, arguments)
    return keep(model, lambda shape: shape.id in found)


def _selected(model: Model, arguments: Arguments) -> frozenset[str]:
    text = arguments.get("selector")
    try:
        return frozenset(select(model, text)) if isinstance(text, str) else frozenset()
    except SelectorSyntaxError as error:
        message = f'the selector "{text}" of a transform cannot be read: {error}'
        raise BadInputError.of("smithy.selector", message) from error


def include_namespaces(model: Model, arguments: Arguments) -> Model:
    """Keep only shapes of `namespaces`."""
    namespaces = _strings(arguments, "namespaces")
    return keep(model, lambda shape: shape.namespace in namespaces)


def include_services(model: Model, arguments: Arguments) -> Model:
    """Without services that are none of `services`."""
    services = _strings(arguments, "services")
    return keep(model, lambda shape: not isinstance(shape, ServiceShape) or shape.id in services)


def remove_deprecated_shapes(model: Model, arguments: Arguments) -> Model:
    """Without shapes deprecated since before `relativeDate` or `relativeVersion`."""
    date, version = arguments.get("relativeDate"), arguments.get("relativeVersion")

    def outdated(shape: Shape) -> bool:
        since = (shape.trait("deprecated") or {}).get("since")
        if not isinstance(since, str):
            return False
        is_date = len(since) == len("2020-01-01") and since[4] == "-"
        limit = date if is_date else version
        return isinstance(limit, str) and _parts(since) < _parts(limit)

    return keep(model, lambda shape: not outdated(shape))


def _parts(text: str) -> list[tuple[int, str]]:
    return [(int(part) if part.isdecimal() else -1, part) for part in text.replace("-", ".").split(".")]


def remove_trait_definitions(model: Model, arguments: Arguments) -> Model:
    """Without the definitions of traits, but those tagged with one of `exportTagged`."""
    exported = _strings(arguments, "exportTagged")
    return keep(model, lambda shape: not shape.has_trait("trait") or not exported.isdisjoint(_tags(shape)))


def remove_unused_shapes(model: Model, arguments: Arguments) -> Model:
    """Without shapes that no service leads to; traits in use stay, and shapes with a tag of `exportTagged`."""
    exported = _strings(arguments, "exportTagged")
    used = reachable_from(model, [each.id for each in model.services])
    traits = {
        trait
        for shape_id in used
        if (shape := model.shapes.get(shape_id)) is not None
        for each in (shape, *shape.members.values())
        for trait in each.traits
    }
    tagged = [
        shape.id
        for shape in model.shapes.values()
        if not exported.isdisjoint(_tags(shape)) and not shape.has_trait("trait")
    ]
    wanted = reachable_from(model, [*used, *traits, *tagged])
    return keep(model, lambda shape: shape.id in wanted)


def exclude_traits(model: Model, arguments: Arguments) -> Model:
    """Without `traits`, ids or namespaces that end in "#", wherever they are applied or defined."""
    traits = {each if "#" in each else f"{PRELUDE}#{each}" for each in _strings(arguments, "traits")}

    return _with_traits(model, lambda trait: trait not in traits and trait.partition("#")[0] + "#" not in traits)


def include_traits(model: Model, arguments: Arguments) -> Model:
    """Keep only `traits`, ids or namespaces that end in "#"; remove other traits and their definitions."""
    traits = {each if "#" in each else f"{PRELUDE}#{each}" for each in _strings(arguments, "traits")}
    return _with_traits(model, lambda trait: trait in traits or trait.partition("#")[0] + "#" in traits)


def _with_traits(model: Model, wanted: Callable[[str], bool]) -> Model:
    def left(values: Mapping[str, Any]) -> dict[str, Any]:
        return {trait: value for trait, value in values.items() if wanted(trait)}

    def strip(shape: Shape) -> Shape:
        members = {
            name: replace(each, traits=left(each.traits), own_traits=left(each.own_traits))
            for name, each in shape.members.items()
        }
        return replace(shape, traits=left(shape.traits), own_traits=left(shape.own_traits), members=members)

    defined = keep(model, lambda shape: not shape.has_trait("trait") or wanted(shape.id))
    shapes = defined.shapes.values()
    return defined.with_shapes(shape if shape.namespace == PRELUDE else strip(shape) for shape in shapes)
