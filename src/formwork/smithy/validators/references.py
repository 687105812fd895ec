"""MemberShouldReferenceResource and ServiceBoundResourceOperation: members that look like identifiers of resources."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, ShapeType
from formwork.smithy.validators.context import Validation, quoted, warning


def missing_references(validation: Validation) -> Iterator[Event]:
    """Members of structures that target a string as an identifier of that name does, outside the resource."""
    model = validation.model
    identifiers: dict[tuple[str, str], list[ResourceShape]] = {}
    for resource in model.resources:
        for name, target in resource.identifiers.items():
            identifiers.setdefault((name, target), []).append(resource)
    if not identifiers:
        return
    for structure in model.of_type(ShapeType.STRUCTURE):
        for member in structure.members.values():
            resources = identifiers.get((member.member_name, member.target), [])
            if not resources or model.trait_definitions.get(structure.id):
                continue
            outside = [each for each in resources if not _belongs(validation, member, each)]
            if len(outside) == len(resources):
                message = (
                    "This member appears to reference the following resources without being included in a "
                    f"`@references` trait: [{quoted(sorted(each.id for each in outside))}]"
                )
                yield warning("MemberShouldReferenceResource", member, message)


def _belongs(validation: Validation, member: MemberShape, resource: ResourceShape) -> bool:
    model = validation.model
    container = model.get(member.container)
    declared = [*(container.trait("references") or [] if container is not None else [])]
    target = model.target(member)
    declared += (target.trait("references") or []) if target is not None else []
    if any(isinstance(each, dict) and each.get("resource") == resource.id for each in declared):
        return True
    below = [resource, *_below(validation, resource)]
    for each in below:
        for operation in validation.bindings.operations_of(each):
            if member.container in (operation.input, operation.output, *operation.errors):
                return True
            nested = (
                validation.bindings.properties_in(validation.bindings.input_of(operation)),
                validation.bindings.properties_in(validation.bindings.output_of(operation)),
            )
            if any(found is not None and found.id == member.container for found in nested):
                return True
    return False


def _below(validation: Validation, resource: ResourceShape) -> list[ResourceShape]:
    found: dict[str, ResourceShape] = {}
    todo = list(resource.resources)
    for child_id in todo:  # grows while it is walked
        child = validation.model.get(child_id)
        if isinstance(child, ResourceShape) and child_id not in found:
            found[child_id] = child
            todo += child.resources
    return list(found.values())


def misbound_operations(validation: Validation) -> Iterator[Event]:
    """Operations bound to a service although their inputs have all identifiers of a resource."""
    model = validation.model
    for service in model.services:
        resources = [each for each in map(model.get, validation.closure(service)) if isinstance(each, ResourceShape)]
        for operation_id in service.operations:
            operation = model.get(operation_id)
            if not isinstance(operation, OperationShape):
                continue
            structure = validation.bindings.input_of(operation)
            members = structure.members if structure is not None else {}
            matching = [
                each.id
                for each in resources
                if each.identifiers
                and all(
                    name in members and members[name].target == target and members[name].has_trait("required")
                    for name, target in each.identifiers.items()
                )
            ]
            if matching:
                message = (
                    f"The `{operation_id}` operation is bound to the `{service.id}` service but has members that match "
                    f"identifiers of the following resource shapes: [{quoted(sorted(matching))}]. It may be more "
                    "accurately bound to one of them than directly to the service."
                )
                event_id = f"ServiceBoundResourceOperation.{service.id}.{operation.name}"
                yield warning(event_id, operation, message)
