"""StreamingTrait and EventPayloadTrait: streams only where protocols can carry them."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, quoted


def streams(validation: Validation) -> Iterator[Event]:
    """Check streaming blobs and event streams, and the members that target them."""
    model = validation.model
    streaming = {each.id: each for each in model.with_trait("streaming")}
    holders = {
        shape.id
        for shape in model.of_type(ShapeType.STRUCTURE)
        if any(member.target in streaming for member in shape.members.values())
    }
    for union in streaming.values():
        if union.type is ShapeType.UNION:
            yield from _check_union(validation, union)
    for shape in model.shapes.values():
        for member in shape.members.values():
            if member.target in holders:
                message = (
                    f"Members cannot target structures that contain a stream, but this member targets {member.target}"
                )
                yield error("StreamingTrait", member, message)
            elif member.target in streaming and shape.type is ShapeType.STRUCTURE:
                yield from _check_blob(validation, streaming[member.target], member)
    yield from _check_outputs(validation, streaming)
    for operation in model.operations:
        for failure in operation.errors:
            if failure in holders:
                message = (
                    f"This shape has an invalid `ERROR` relationship to a structure, `{failure}`, that contains a "
                    "stream"
                )
                yield error("StreamingTrait", operation, message)


def _check_outputs(validation: Validation, streaming: dict[str, Shape]) -> Iterator[Event]:
    """Outputs have no streams whose length must be known beforehand."""
    model = validation.model
    sized = {
        shape.id
        for shape in model.of_type(ShapeType.STRUCTURE)
        if any(
            member.target in streaming and streaming[member.target].has_trait("requiresLength")
            for member in shape.members.values()
        )
    }
    for operation in model.operations:
        if operation.output in sized:
            message = (
                "Structures that contain a reference to a stream marked with the @requiresLength trait can only be "
                f"used as operation inputs, but this structure is referenced from `{operation.id}` as output"
            )
            yield error("StreamingTrait", model.expect(operation.output), message)


def _check_union(validation: Validation, union: Shape) -> Iterator[Event]:
    others = [
        name
        for name, member in union.members.items()
        if (target := validation.model.target(member)) is not None and target.type is not ShapeType.STRUCTURE
    ]
    if others:
        message = (
            "Each member of an event stream union must target a structure shape, but the following union members do "
            f"not: [{', '.join(sorted(others))}]"
        )
        yield error("StreamingTrait", union, message)


def _check_blob(validation: Validation, target: Shape, member: MemberShape) -> Iterator[Event]:
    if target.type is not ShapeType.BLOB:
        return
    if not member.has_trait("required") and not member.has_trait("default"):
        message = (
            "Members that target blobs marked with the `streaming` trait MUST also be marked with the `required` or "
            "`default` trait."
        )
        yield error("StreamingTrait", member, message)
    if member.has_trait("httpPayload"):
        return
    for service in validation.model.services:
        if member.container in validation.closure(service) and _supports_payload(validation, service):
            message = (
                f"Member `{member.id}` referencing @streaming shape `{target.id}` must have the @httpPayload trait, as "
                f"service `{service.id}` has a protocol that supports @httpPayload."
            )
            yield error("StreamingTrait", member, message)
            return


def _supports_payload(validation: Validation, service: Shape) -> bool:
    for trait in service.traits:
        definition = validation.model.trait_definitions.get(trait)
        protocol = definition.trait("protocolDefinition") if definition is not None else None
        if isinstance(protocol, dict) and "smithy.api#httpPayload" in (protocol.get("traits") or ()):
            return True
    return False


def event_payloads(validation: Validation) -> Iterator[Event]:
    """Check EventPayloadTrait: beside the payload of an event everything is a header."""
    for member in validation.model.with_trait("eventPayload"):
        structure = validation.model.get(member.id.partition("$")[0])
        others = [
            name
            for name, each in (structure.members.items() if structure is not None else ())
            if not each.has_trait("eventPayload") and not each.has_trait("eventHeader")
        ]
        if structure is not None and others:
            message = (
                "This event structure contains a member marked with the `eventPayload` trait, so all other members "
                "must be marked with the `eventHeader` trait. However, the following member(s) are not marked with "
                f"the eventHeader trait: {quoted(sorted(others))}"
            )
            yield error("EventPayloadTrait", structure, message)
