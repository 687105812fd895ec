"""MemberShouldReferenceResource and ServiceBoundResourceOperation: members that look like identifiers of resources."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.nodes import expect_object
from formwork.smithy.reachable import reachable_from
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, quoted, warning


def missing_references(validation: Validation) -> Iterator[Event]:
    """Report members named and typed like identifiers of resources that they don't belong to, nor say to reference."""
    model = validation.model
    identifiers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for resource in model.resources:
        for name, target in resource.identifiers.items():
            identifiers[name, target].add(resource.id)
    if not identifiers:
        return
    owners = _owners(validation)
    for container in model.shapes.values():
        for member in container.members.values():
            candidates = identifiers.get((member.member_name, member.target))
            targeted = model.target(member)
            if candidates is None or targeted is None or targeted.type is not ShapeType.STRING:
                continue
            missing = candidates - owners[container.id] - _declared(container) - _declared(member)
            if missing:
                message = (
                    "This member appears to reference the following resources without being included in a "
                    f"`@references` trait: [{quoted(sorted(missing))}]"
                )
                yield warning("MemberShouldReferenceResource", member, message)


def _owners(validation: Validation) -> dict[str, set[str]]:
    """Shape id → the resources that lead to it, and the resources bound to those."""
    found: dict[str, set[str]] = defaultdict(set)
    for resource in validation.model.resources:
        for shape_id in reachable_from(validation.model, [resource.id]):
            found[shape_id].update((resource.id, *resource.resources))
    return found


def _declared(shape: Shape) -> set[str]:
    return {str(expect_object(each).get("resource")) for each in shape.trait("references") or ()}


def misbound_operations(validation: Validation) -> Iterator[Event]:
    """Report operations bound to a service although they take or give an identifier of a resource."""
    model = validation.model
    for service in model.services:
        resources = [each for each in map(model.get, validation.closure(service)) if isinstance(each, ResourceShape)]
        for operation_id in service.operations:
            operation = model.get(operation_id)
            if not isinstance(operation, OperationShape):
                continue
            sides = (validation.bindings.input_of(operation), validation.bindings.output_of(operation))
            members = [member for side in sides if side is not None for member in side.members.values()]
            matching = [each.id for each in resources if any(_is_identifier(each, member) for member in members)]
            if matching:
                message = (
                    f"The `{operation_id}` operation is bound to the `{service.id}` service but has members that match "
                    f"identifiers of the following resource shapes: [{quoted(sorted(matching))}]. It may be more "
                    "accurately bound to one of them than directly to the service."
                )
                event_id = f"ServiceBoundResourceOperation.{service.id}.{operation.name}"
                yield warning(event_id, operation, message)


def _is_identifier(resource: ResourceShape, member: MemberShape) -> bool:
    return resource.identifiers.get(member.member_name) == member.target and member.has_trait("required")
