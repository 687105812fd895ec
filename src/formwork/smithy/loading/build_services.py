"""Operations, resources and services: what their properties say, with what mixins bring."""

from collections.abc import Iterable
from typing import Any

from formwork.smithy.definitions import ShapeDefinition
from formwork.smithy.nodes import Node
from formwork.smithy.shape_ids import UNIT
from formwork.smithy.shapes import LIFECYCLES, OperationShape, ResourceShape, ServiceShape, Shape


def _common(shape: Shape) -> dict[str, Any]:
    return {
        "id": shape.id,
        "type": shape.type,
        "place": shape.place,
        "traits": shape.traits,
        "trait_places": shape.trait_places,
        "own_traits": shape.own_traits,
        "mixins": shape.mixins,
    }


def _merged(*lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for values in lists for each in values))


def build_operation(shape: Shape, definition: ShapeDefinition, mixins: list[Shape]) -> OperationShape:
    """Return an operation; errors of mixins come first."""
    properties = definition.properties
    errors: list[Node] = properties.get("errors", [])
    inherited = (each.errors for each in mixins if isinstance(each, OperationShape))
    return OperationShape(
        **_common(shape),
        input=properties.get("input", UNIT),
        output=properties.get("output", UNIT),
        errors=_merged(*inherited, errors),
        own_errors=tuple(errors),
    )


def build_resource(shape: Shape, definition: ShapeDefinition) -> ResourceShape:
    """Return a resource; a mixin brings nothing but traits."""
    properties = definition.properties
    return ResourceShape(
        **_common(shape),
        identifiers=properties.get("identifiers", {}),
        properties=properties.get("properties", {}),
        lifecycle={name: properties[name] for name in LIFECYCLES if name in properties},
        operations=tuple(properties.get("operations", ())),
        collection_operations=tuple(properties.get("collectionOperations", ())),
        resources=tuple(properties.get("resources", ())),
    )


def build_service(shape: Shape, definition: ShapeDefinition, mixins: list[Shape]) -> ServiceShape:
    """Return a service; lists and renames add to those of mixins, the last version given holds."""
    own = definition.properties
    parents = [each for each in mixins if isinstance(each, ServiceShape)]
    versions = [each.version for each in parents if each.version]
    rename: dict[str, str] = {}
    for parent in parents:
        rename |= parent.rename
    return ServiceShape(
        **_common(shape),
        version=own.get("version") or (versions[-1] if versions else ""),
        operations=_merged(*(each.operations for each in parents), own.get("operations", ())),
        resources=_merged(*(each.resources for each in parents), own.get("resources", ())),
        errors=_merged(*(each.errors for each in parents), own.get("errors", ())),
        rename=rename | own.get("rename", {}),
        own=own,
    )
