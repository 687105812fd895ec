"""Service, SingleOperationBinding and SingleResourceBinding: what a service's closure may hold."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.shape_ids import PRELUDE, is_identifier, name_of
from formwork.smithy.shapes import (
    SERVICE_TYPES,
    SIMPLE_TYPES,
    OperationShape,
    ResourceShape,
    ServiceShape,
    Shape,
    ShapeType,
)
from formwork.smithy.validators.context import Validation, described, error, quoted

_LISTS = (ShapeType.LIST, ShapeType.SET)


def service_closures(validation: Validation) -> Iterator[Event]:
    """Check that names are unique in a closure, and that renames are valid and effective."""
    for service in validation.model.services:
        if service.has_trait("mixin"):
            continue
        yield from _check_renames(validation, service)
        yield from _check_names(validation, service)


def _check_renames(validation: Validation, service: ServiceShape) -> Iterator[Event]:
    closure = validation.closure(service)
    for shape_id, name in service.rename.items():
        shape = validation.model.get(shape_id)
        if "$" in shape_id:
            kind = "member"
        elif shape is None or shape_id not in closure:
            yield error(
                "Service",
                service,
                f"Service attempts to rename a shape that is not in the service closure: `{shape_id}`",
            )
            continue
        else:
            kind = str(shape.type)
        if shape is not None and (shape.type in SERVICE_TYPES or kind == "member"):
            message = (
                f'Service attempts to rename a {kind} shape from `{shape_id}` to "{name}"; {kind}s cannot be renamed'
            )
            yield error("Service", service, message)
        elif not is_identifier(name):
            message = f'Service attempts to rename `{shape_id}` to an invalid identifier, "{name}"'
            yield error("Service", service, message)
        elif name == name_of(shape_id):
            message = f"Service rename for `{shape_id}` does not actually change the name from `{name}`"
            yield error("Service", service, message)


def _check_names(validation: Validation, service: ServiceShape) -> Iterator[Event]:
    by_name: dict[str, list[Shape]] = defaultdict(list)
    for shape_id in validation.closure(service):
        shape = validation.model.get(shape_id)
        if shape is not None and shape is not service:
            by_name[service.rename.get(shape_id, shape.name).lower()].append(shape)
    for shapes in by_name.values():
        for shape in shapes if len(shapes) > 1 else ():
            yield from _name_conflicts(validation, service, shape, shapes)


def _name_conflicts(
    validation: Validation, service: ServiceShape, shape: Shape, shapes: list[Shape]
) -> Iterator[Event]:
    renamed = service.rename.get(shape.id)
    subject = f'Renamed shape name "{renamed}"' if renamed else f"Shape name `{shape.id}`"
    for other in shapes:
        if other is shape or shape.namespace == PRELUDE:
            continue
        severity = _severity(validation, shape, other)
        other_renamed = service.rename.get(other.id)
        suffix = f' (renamed to "{other_renamed}")' if other_renamed else ""
        must = "must" if severity is EventSeverity.ERROR else "should"
        message = (
            f"{subject} conflicts with `{other.id}`{suffix} in the `{service.id}` service closure. Shapes in the "
            f"closure of a service {must} have case-insensitively unique names regardless of their namespaces. Use the "
            "`rename` property of the service to disambiguate shape names."
        )
        yield Event("Service", severity, message, shape.id, shape.place)


def _severity(validation: Validation, left: Shape, right: Shape) -> EventSeverity:
    """Return how bad two shapes of one name are: simple shapes of one type hardly matter, lists of the same little."""
    if left.type is right.type and left.type in SIMPLE_TYPES - {ShapeType.ENUM, ShapeType.INT_ENUM}:
        return EventSeverity.NOTE
    if left.type in _LISTS and right.type in _LISTS and _same_items(validation, left, right):
        return EventSeverity.WARNING
    return EventSeverity.ERROR


def _same_items(validation: Validation, left: Shape, right: Shape) -> bool:
    one, other = left.members["member"], right.members["member"]
    if one.traits != other.traits or left.traits != right.traits:
        return False
    target, other_target = validation.model.target(one), validation.model.target(other)
    if target is None or other_target is None:
        return False
    return target.id == other_target.id or _severity(validation, target, other_target) is not EventSeverity.ERROR


def single_bindings(validation: Validation) -> Iterator[Event]:
    """Check that a resource or operation is bound only once in a closure."""
    for service in validation.model.services:
        parents: dict[str, list[Shape]] = defaultdict(list)
        for shape in _bound_to(validation, service):
            for child in _children(shape):
                if shape not in parents[child]:
                    parents[child].append(shape)
        for child, shapes in parents.items():
            found = validation.model.get(child)
            if len(shapes) > 1 and found is not None:
                yield from _report(service, found, shapes)


def _bound_to(validation: Validation, service: ServiceShape) -> list[Shape]:
    """Return a service and the resources that are bound to it, directly or not."""
    found: dict[str, Shape] = {service.id: service}
    todo: list[Shape] = [service]
    for shape in todo:  # grows while it is walked
        for child in _children(shape):
            resource = validation.model.get(child)
            if isinstance(resource, ResourceShape) and child not in found:
                found[child] = resource
                todo.append(resource)
    return todo


def _children(shape: Shape | None) -> tuple[str, ...]:
    match shape:
        case ServiceShape():
            return (*shape.operations, *shape.resources)
        case ResourceShape():
            return (*shape.all_operations, *shape.resources)
        case _:
            return ()


def _report(service: ServiceShape, shape: Shape, parents: list[Shape]) -> Iterator[Event]:
    ordered = sorted(parents, key=lambda each: each.id.lower())
    if isinstance(shape, ResourceShape):
        message = (
            "A resource can appear only once in an entire service closure. This resource is illegally bound into the "
            f"`{service.id}` service closure from multiple shapes: [{quoted(each.id for each in ordered)}]"
        )
        yield error("SingleResourceBinding", shape, message)
    elif isinstance(shape, OperationShape):
        listed = ", ".join(sorted(described(each) for each in parents))
        message = (
            "An operation can appear only once in an entire service closure. This operation is illegally bound into "
            f"the `{service.id}` service closure from multiple shapes: {listed}"
        )
        yield error("SingleOperationBinding", shape, message)
