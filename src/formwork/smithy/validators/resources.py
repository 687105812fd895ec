"""ResourceCycle, ResourceIdentifier and ResourceLifecycle."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shapes import OperationShape, ResourceShape
from formwork.smithy.validators.context import Validation, error

_READONLY = {"create": False, "put": False, "read": True, "update": False, "delete": False, "list": True}
_IDEMPOTENT = ("put", "delete")


def resource_cycles(validation: Validation) -> Iterator[Event]:
    """Report resources that are their own descendants."""
    for resource in validation.model.resources:
        path = _cycle(validation, resource)
        if path:
            yield error("ResourceCycle", resource, f"Circular resource hierarchy found: {' -> '.join(path)}")


def _cycle(validation: Validation, start: ResourceShape) -> tuple[str, ...]:
    todo: list[tuple[str, ...]] = [(start.id,)]
    seen: set[str] = set()
    while todo:
        path = todo.pop()
        resource = validation.model.get(path[-1])
        for child in resource.resources if isinstance(resource, ResourceShape) else ():
            if child == start.id:
                return (*path, child)
            if child not in seen:
                seen.add(child)
                todo.append((*path, child))
    return ()


def resource_identifiers(validation: Validation) -> Iterator[Event]:
    """Check that children have the identifiers of their parents; identifiers are not properties."""
    for resource in validation.model.resources:
        properties = {name.lower() for name in resource.properties}
        for name in resource.identifiers:
            if name.lower() in properties:
                message = f"Resource identifier `{name}` cannot also be a resource property"
                yield error("ResourceIdentifier", resource, message)
        for child_id in resource.resources:
            child = validation.model.get(child_id)
            if isinstance(child, ResourceShape):
                yield from _check_child(resource, child)


def _check_child(parent: ResourceShape, child: ResourceShape) -> Iterator[Event]:
    missing = [name for name in parent.identifiers if name not in child.identifiers]
    if missing:
        message = (
            f"This resource is bound as a child of `{parent.id}`, but it is invalid because its `identifiers` property "
            f"is missing the following identifiers that are defined in `{parent.id}`: [{', '.join(missing)}]"
        )
        yield error("ResourceIdentifier", child, message)
    for name, target in parent.identifiers.items():
        found = child.identifiers.get(name)
        if found is not None and found != target:
            message = (
                f"The `identifiers` property of this resource is incompatible with its binding to `{parent.id}`: "
                f"expected the `{name}` member to target `{target}`, but found a target of `{found}`"
            )
            yield error("ResourceIdentifier", child, message)


def resource_lifecycles(validation: Validation) -> Iterator[Event]:
    """Check that lifecycle operations are readonly and idempotent as required."""
    for resource in validation.model.resources:
        for lifecycle, operation_id in resource.lifecycle.items():
            operation = validation.model.get(operation_id)
            if not isinstance(operation, OperationShape):
                continue
            for problem in _lifecycle_problems(lifecycle, operation):
                message = (
                    f"The `{lifecycle}` lifecycle operation of this resource targets an invalid operation, "
                    f"`{operation_id}`. The targeted operation must {problem}."
                )
                yield error("ResourceLifecycle", resource, message)


def _lifecycle_problems(lifecycle: str, operation: OperationShape) -> Iterator[str]:
    readonly = operation.has_trait("readonly")
    if _READONLY[lifecycle] and not readonly:
        yield "be marked with the readonly trait"
    elif readonly and not _READONLY[lifecycle]:
        yield "not be marked with the readonly trait"
    if lifecycle in _IDEMPOTENT and not operation.has_trait("idempotent"):
        yield "be marked as idempotent"
