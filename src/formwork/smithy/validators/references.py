"""MemberShouldReferenceResource and ServiceBoundResourceOperation: members that look like identifiers of resources."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, quoted, warning


def missing_references(validation: Validation) -> Iterator[Event]:
    """Members of structures that target a string as an identifier of that name does, outside the resource."""
    model = validation.model
    identifiers: dict[tuple[str, str], list[ResourceShape]] = {}
    for resource in model.resources:
        for name, target in resource.identifiers.items():
            identifiers.setdefault((name, target), []).append(resource)
    own: dict[tuple[str, str], set[str]] = {
        key: {container for each in resources for container in _containers(validation, each)}
        for key, resources in identifiers.items()
    }
    for structure in model.of_type(ShapeType.STRUCTURE):
        for member in structure.members.values():
            key = (member.member_name, member.target)
            resources = identifiers.get(key)
            if resources is None or structure.id in own[key] or structure.id in model.trait_definitions:
                continue
            if not _declared(validation, structure, member).isdisjoint(each.id for each in resources):
                continue
            message = (
                "This member appears to reference the following resources without being included in a `@references` "
                f"trait: [{quoted(sorted(each.id for each in resources))}]"
            )
            yield warning("MemberShouldReferenceResource", member, message)


def _containers(validation: Validation, resource: ResourceShape) -> Iterator[str]:
    """The structures that are the resource's own: inputs, outputs, errors and nested properties of its operations."""
    bindings = validation.bindings
    for each in (resource, *_below(validation, resource)):
        for operation in bindings.operations_of(each):
            yield from (operation.input, operation.output, *operation.errors)
            for whole in (bindings.input_of(operation), bindings.output_of(operation)):
                nested = bindings.properties_in(whole)
                if nested is not None:
                    yield nested.id


def _declared(validation: Validation, structure: Shape, member: MemberShape) -> set[str]:
    """The resources that @references on the structure or on what the member targets names."""
    target = validation.model.target(member)
    declared = [*(structure.trait("references") or ()), *((target.trait("references") or ()) if target else ())]
    return {str(each.get("resource")) for each in declared if isinstance(each, dict)}


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
