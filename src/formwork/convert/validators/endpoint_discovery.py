"""ClientEndpointDiscovery: services whose clients ask for endpoints have an operation that can answer."""

from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.hash_order import hash_set_order
from formwork.smithy.nodes import expect_object
from formwork.smithy.shape_ids import name_of
from formwork.smithy.shapes import MemberShape, OperationShape, ServiceShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, described, error, event, warning

_ID = "ClientEndpointDiscovery"
_DISCOVERY = "aws.api#clientEndpointDiscovery"
_DISCOVERED = "aws.api#clientDiscoveredEndpoint"
_STRINGS = (ShapeType.STRING, ShapeType.ENUM)


def endpoint_discovery(validation: Validation) -> Iterator[Event]:
    """Check the services, the operations that give endpoints, and those that use them."""
    services = [each for each in validation.model.with_trait(_DISCOVERY) if isinstance(each, ServiceShape)]
    for service in services:
        yield from _check_service(validation, service)
    for shape in validation.model.with_trait(_DISCOVERED):
        if isinstance(shape, OperationShape):
            yield from _check_user(validation, shape, services)


def _check_service(validation: Validation, service: ServiceShape) -> Iterator[Event]:
    trait = expect_object(service.trait(_DISCOVERY))
    if "error" not in trait:
        message = "Services SHOULD define an error which indicates an endpoint is invalid."
        yield event(f"{_ID}.MissingErrorDefinition", EventSeverity.DANGER, service, message, trait=_DISCOVERY)
    operation_id = str(trait.get("operation"))
    operation = validation.model.get(operation_id)
    if isinstance(operation, OperationShape):
        yield from _check_input(validation, operation)
        yield from _check_output(validation, operation)
    if operation_id not in service.operations:
        message = (
            f"The operation `{operation_id}` must be bound to the service `{described(service)}` to use it as the "
            "endpoint operation."
        )
        yield error(f"{_ID}.UnboundOperation.{name_of(operation_id)}", service, message)
    if not any(each.has_trait(_DISCOVERED) for each in validation.operations_of(service)):
        message = (
            f"The service `{service.id}` is configured to use endpoint discovery, but has no operations bound with "
            f"the `{_DISCOVERED}` trait."
        )
        yield warning(f"{_ID}.NoOperations", service, message)


def _check_user(validation: Validation, operation: OperationShape, services: list[ServiceShape]) -> Iterator[Event]:
    bound = [each for each in services if operation in validation.operations_of(each)]
    if not bound:
        message = (
            f"The operation `{operation.id}` is marked with `{_DISCOVERED}` but is not attached to a service with the "
            f"`{_DISCOVERY}` trait."
        )
        yield error(_ID, operation, message)
    for service in bound:
        failure = expect_object(service.trait(_DISCOVERY)).get("error")
        if failure in validation.model.shapes and failure not in operation.errors:
            message = (
                f"The operation `{operation.id}` is marked with `{_DISCOVERED}` and is bound to the service "
                f"`{service.id}` but does not have the required error `{failure}`."
            )
            yield error(_ID, operation, message)


def _check_input(validation: Validation, operation: OperationShape) -> Iterator[Event]:
    structure = validation.bindings.input_of(operation)
    if structure is None:
        return
    if not structure.members.keys() <= {"Operation", "Identifiers"}:
        message = (
            f"Input for endpoint discovery operation `{operation.id}` may only have the members Operation and "
            f"Identifiers but found: {', '.join(hash_set_order(structure.members))}"
        )
        yield error(_ID, structure, message)
    named = _target(validation, structure.members.get("Operation"))
    if named is not None and named.type not in _STRINGS:
        yield error(_ID, named, "The Operation member of an endpoint discovery operation must be a string")
    member = structure.members.get("Identifiers")
    held = _target(validation, member)
    if member is not None and not _is_map_of_strings(validation, held):
        message = (
            "The Identifiers member of an endpoint discovery operation must be a map whose keys and values are strings."
        )
        yield error(_ID, member, message)


def _is_map_of_strings(validation: Validation, shape: Shape | None) -> bool:
    if shape is None or shape.type is not ShapeType.MAP:
        return False
    value = _target(validation, shape.members["value"])
    return value is not None and value.type in _STRINGS


def _check_output(validation: Validation, operation: OperationShape) -> Iterator[Event]:
    structure = validation.bindings.output_of(operation)
    members = structure.members if structure is not None else {}
    if list(members) != ["Endpoints"]:
        message = (
            "Endpoint discovery operation output must only contain an `Endpoints` member, but found: "
            f"[{','.join(members)}]"
        )
        yield error(_ID, operation, message)
    member = members.get("Endpoints")
    if member is None:
        return
    listed = _target(validation, member)
    if listed is None or listed.type not in (ShapeType.LIST, ShapeType.SET):
        message = "The output member `Endpoints` on an endpoint discovery operation must be a list."
        yield error(_ID, member, message)
        return
    endpoint = _target(validation, listed.members["member"])
    if endpoint is None or endpoint.type is not ShapeType.STRUCTURE:
        message = "The member of the Endpoints list in an endpoint discovery operation must be a structure shape."
        yield error(_ID, listed, message)
        return
    yield from _check_endpoint(validation, endpoint)


def _check_endpoint(validation: Validation, endpoint: Shape) -> Iterator[Event]:
    for name, kind, types in (("Address", "string", _STRINGS), ("CachePeriodInMinutes", "long", (ShapeType.LONG,))):
        member = endpoint.members.get(name)
        target = _target(validation, member)
        if member is not None and target is not None and target.type not in types:
            yield error(_ID, member, f"The `{name}` member of the `Endpoint` shape must be a {kind} type.")
    if endpoint.members.keys() != {"Address", "CachePeriodInMinutes"}:
        message = (
            "The `Endpoint` shape must only have the members `Address` and `CachePeriodInMinutes`, but found: "
            f"{', '.join(hash_set_order(endpoint.members))}"
        )
        yield error(_ID, endpoint, message)


def _target(validation: Validation, member: MemberShape | None) -> Shape | None:
    return validation.model.target(member) if member is not None else None
