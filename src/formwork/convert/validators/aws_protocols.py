"""ProtocolHttp, Rpcv2CborTrait, Rpcv2JsonTrait, ProtocolHttpPayload and QueryErrorCode: what protocols can carry."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import expect_object
from formwork.smithy.shapes import OperationShape, ServiceShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, event

_PROTOCOLS = tuple(f"aws.protocols#{name}" for name in ("awsJson1_0", "awsJson1_1", "restJson1", "restXml"))
_RPC_V2 = {
    "smithy.protocols#rpcv2Cbor": "Rpcv2CborTrait",
    "smithy.protocols#rpcv2Json": "Rpcv2JsonTrait",
}
_PAYLOADS = ("aws.protocols#restJson1", "aws.protocols#restXml")
_QUERY = ("aws.protocols#awsQuery", "aws.protocols#awsQueryCompatible")
_PAYLOAD_TYPES = (
    ShapeType.STRING, ShapeType.ENUM, ShapeType.BLOB, ShapeType.STRUCTURE, ShapeType.UNION, ShapeType.DOCUMENT,
)  # fmt: skip


def http_versions(validation: Validation) -> Iterator[Event]:
    """Check that event streams use a version of HTTP that the protocol has."""
    ids = dict.fromkeys(_PROTOCOLS, "ProtocolHttp") | _RPC_V2
    for service in validation.model.services:
        for protocol, event_id in ids.items():
            trait = expect_object(service.trait(protocol))
            versions = trait.get("http", [])
            extra = [each for each in trait.get("eventStreamHttp", ()) if each not in versions]
            if extra:
                message = (
                    "The following values of the `eventStreamHttp` property do not also appear in the `http` property "
                    f"of the {protocol} protocol trait: [{', '.join(extra)}]"
                )
                yield error(event_id, service, message, trait=protocol)


def http_payloads(validation: Validation) -> Iterator[Event]:
    """Check that payloads are of types that the protocols write."""
    seen: set[str] = set()
    for service in validation.model.services:
        if not any(map(service.has_trait, _PAYLOADS)):
            continue
        for operation in validation.operations_of(service):
            for structure in _structures(validation, operation):
                if structure.id not in seen:
                    seen.add(structure.id)
                    yield from _check_payload(validation, structure)


def _structures(validation: Validation, operation: OperationShape) -> Iterator[Shape]:
    for shape_id in (operation.input, operation.output, *operation.errors):
        shape = validation.model.get(shape_id)
        if shape is not None:
            yield shape


def _check_payload(validation: Validation, structure: Shape) -> Iterator[Event]:
    for member in structure.members.values():
        target = validation.model.target(member)
        if member.has_trait("httpPayload") and target is not None and target.type not in _PAYLOAD_TYPES:
            message = (
                "AWS Protocols only support binding the following shape types to the payload: string, blob, structure, "
                "union, and document"
            )
            yield error("ProtocolHttpPayload", member, message)


def error_codes(validation: Validation) -> Iterator[Event]:
    """Check that errors of the query protocol differ in their codes."""
    for service in validation.model.services:
        if not any(map(service.has_trait, _QUERY)):
            continue
        by_code: dict[str, list[str]] = defaultdict(list)
        for shape in _errors(validation, service):
            code = expect_object(shape.trait("aws.protocols#awsQueryError")).get("code", shape.name)
            by_code[code].append(shape.id)
        for code, ids in by_code.items():
            if len(ids) > 1:
                message = (
                    f"Multiple error shapes with the error code `{code}` found: [{', '.join(sorted(ids))}]. This error "
                    "code ambiguity will result in the wrong error shape being deserialized when running the query "
                    "protocol. This pain will be carried forward when migrating to a new protocol when using the "
                    "awsQueryCompatible trait."
                )
                yield event("QueryErrorCode", EventSeverity.DANGER, service, message)


def _errors(validation: Validation, service: ServiceShape) -> list[Shape]:
    ids = dict.fromkeys((*service.errors, *(x for each in validation.operations_of(service) for x in each.errors)))
    return [shape for each in ids if (shape := validation.model.get(each)) is not None]
