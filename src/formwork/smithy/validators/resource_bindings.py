"""ResourceIdentifierBinding and ResourceOperationInputOutput: operations that fit their resources."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.bindings import identifier_bindings
from formwork.smithy.events import Event
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, Shape
from formwork.smithy.validators.context import Validation, error, quoted, warning

_ID = "ResourceIdentifierBinding"
_IO = "ResourceOperationInputOutput"
_INSTANCE = ("put", "read", "update", "delete")


def identifier_binding(validation: Validation) -> Iterator[Event]:
    """Check that instance operations bind all identifiers, parents' included, and collection operations do not."""
    for resource in validation.model.resources:
        for operation_id in _instance_operations(resource):
            yield from _check_instance(validation, resource, operation_id)
        for operation_id in _collection_operations(resource):
            yield from _check_collection(validation, resource, operation_id)
        yield from _check_conflicts(validation, resource)
    yield from _check_parents(validation)


def _instance_operations(resource: ResourceShape) -> list[str]:
    return [*(resource.lifecycle[each] for each in _INSTANCE if each in resource.lifecycle), *resource.operations]


def _collection_operations(resource: ResourceShape) -> list[str]:
    named = [resource.lifecycle[each] for each in ("create", "list") if each in resource.lifecycle]
    return [*named, *resource.collection_operations]


def _bound(
    validation: Validation, resource: ResourceShape, operation_id: str
) -> tuple[OperationShape | None, set[str]]:
    operation = validation.model.get(operation_id)
    if not isinstance(operation, OperationShape):
        return None, set()
    bindings = identifier_bindings(resource, validation.bindings.input_of(operation))
    return operation, set(bindings) & set(resource.identifiers)


def _check_instance(validation: Validation, resource: ResourceShape, operation_id: str) -> Iterator[Event]:
    operation, bound = _bound(validation, resource, operation_id)
    if operation is None or bound == set(resource.identifiers):
        return
    structure = validation.bindings.input_of(operation)
    expected = ", ".join(
        f"required member named `{name}` that targets `{target}`" for name, target in resource.identifiers.items()
    )
    members = structure.members if structure is not None else {}
    found = ", ".join(
        f"{_necessity(member)} member named `{name}` that targets `{member.target}`" for name, member in members.items()
    )
    message = (
        f"This operation does not form a valid instance operation when bound to resource `{resource.id}`. All of the "
        "identifiers of the resource were not implicitly or explicitly bound to the input of the operation. Expected "
        f"the following identifier bindings: [{expected}]. Found the following identifier bindings: [{found}]"
    )
    yield error(_ID, operation, message)


def _necessity(member: MemberShape) -> str:
    return "required" if member.has_trait("required") else "optional"


def _check_collection(validation: Validation, resource: ResourceShape, operation_id: str) -> Iterator[Event]:
    operation, bound = _bound(validation, resource, operation_id)
    if operation is not None and resource.identifiers and bound == set(resource.identifiers):
        message = (
            f"This operation is bound as a collection operation on the `{resource.id}` resource, but it improperly "
            "binds all of the identifiers of the resource to members of the operation input."
        )
        yield error(_ID, operation, message)


def _check_conflicts(validation: Validation, resource: ResourceShape) -> Iterator[Event]:
    for operation in validation.bindings.operations_of(resource):
        structure = validation.bindings.input_of(operation)
        if structure is None:
            continue
        explicit: dict[str, list[str]] = defaultdict(list)
        for name, member in structure.members.items():
            bound = member.trait("resourceIdentifier")
            if isinstance(bound, str):
                explicit[bound].append(name)
        for identifier, names in explicit.items():
            if len(names) > 1:
                listed = ", ".join(f"'{name}'" for name in names)
                message = (
                    f"Conflicting resource identifier member bindings found for identifier '{identifier}' between "
                    f"members: {listed}"
                )
                yield error(_ID, structure, message)
            if identifier in structure.members and identifier not in names:
                if structure.members[identifier].target != resource.identifiers.get(identifier):
                    continue
                listed = ", ".join(f"'{name}'" for name in names)
                message = (
                    f"Implicit resource identifier for '{identifier}' is overridden by `resourceIdentifier` trait on "
                    f"members: {listed}"
                )
                yield warning(_ID, structure, message)


def _check_parents(validation: Validation) -> Iterator[Event]:
    for parent in validation.model.resources:
        for child in _descendants(validation, parent):
            for operation in validation.bindings.operations_of(child):
                structure = validation.bindings.input_of(operation)
                bound = identifier_bindings(child, structure)
                missing = [name for name in parent.identifiers if name not in bound]
                if missing:
                    message = (
                        f"This operation is bound to the `{child.id}` resource, which is a child of the `{parent.id}` "
                        f"resource, and it is missing the following resource identifier bindings of `{parent.id}`: "
                        f"[{quoted(missing)}]"
                    )
                    yield error(_ID, operation, message)


def _descendants(validation: Validation, resource: ResourceShape) -> list[ResourceShape]:
    found: dict[str, ResourceShape] = {}
    todo = list(resource.resources)
    for child_id in todo:  # grows while it is walked
        child = validation.model.get(child_id)
        if isinstance(child, ResourceShape) and child_id not in found and child is not resource:
            found[child_id] = child
            todo += child.resources
    return list(found.values())


def operation_properties(validation: Validation) -> Iterator[Event]:
    """Check that members of operations are properties or identifiers, with their targets, and use every property."""
    for resource in validation.model.resources:
        if not resource.properties:
            continue
        used: set[str] = set()
        for name in ("put", "create", "read", "update", "delete"):
            operation = validation.model.get(resource.lifecycle.get(name, ""))
            if isinstance(operation, OperationShape):
                yield from _check_operation(validation, resource, operation, name, used)
        for operation_id in resource.operations:
            operation = validation.model.get(operation_id)
            if isinstance(operation, OperationShape):
                _collect(validation, operation, used)
        for name in resource.properties:
            if name not in used:
                message = (
                    f"Resource property `{name}` is not used in the input or output of create or an instance operation."
                )
                yield error(_IO, resource, message)


def _sides(validation: Validation, operation: OperationShape) -> list[Shape]:
    bindings = validation.bindings
    wholes = (bindings.input_of(operation), bindings.output_of(operation))
    return [each for each in map(bindings.properties_in, wholes) if each is not None]


def _collect(validation: Validation, operation: OperationShape, used: set[str]) -> None:
    for structure in _sides(validation, operation):
        used.update(validation.bindings.property_name(member) for member in structure.members.values())


def _check_operation(
    validation: Validation, resource: ResourceShape, operation: OperationShape, lifecycle: str, used: set[str]
) -> Iterator[Event]:
    for structure in _sides(validation, operation):
        names: dict[str, list[str]] = defaultdict(list)
        for member in structure.members.values():
            name = validation.bindings.property_name(member)
            if name in resource.properties:
                used.add(name)
                names[name].append(member.member_name)
            yield from _check_member(validation, resource, lifecycle, structure, member)
        for name, members in names.items():
            if len(members) > 1:
                message = (
                    "This shape contains members with conflicting resource property names that resolve to "
                    f"'{name}': {', '.join(sorted(members))}"
                )
                yield error(_IO, structure, message)


def _check_member(
    validation: Validation, resource: ResourceShape, lifecycle: str, structure: Shape, member: MemberShape
) -> Iterator[Event]:
    name = validation.bindings.property_name(member)
    target = resource.properties.get(name)
    if target is not None:
        if target != member.target:
            message = (
                f"This member must target `{target}`. This member is used as part of the `{lifecycle}` operation of "
                f"the `{resource.id}` resource and conflicts with its `{name}` resource property."
            )
            yield error(_IO, member, message)
        return
    bound = identifier_bindings(resource, structure).values()
    if member.member_name in bound or validation.bindings.is_no_property(member):
        return
    message = (
        f"Member `{member.member_name}` does not target a property or identifier for resource `{resource.id}`. If it "
        "is an identifier, apply the `smithy.api#resourceIdentifier` trait. If it is a property, apply the "
        "`smithy.api#property` trait. If it is neither, apply the `smithy.api#notProperty` trait."
    )
    yield error(_IO, member, message)
