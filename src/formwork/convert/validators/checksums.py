"""HttpChecksumTrait: what @httpChecksum names exists, and no header is bound to what it uses."""

from collections.abc import Iterator, Mapping

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import Node, expect_object
from formwork.smithy.shapes import OperationShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, event, quoted, warning

_ID = "HttpChecksumTrait"
_CHECKSUM = "aws.protocols#httpChecksum"
_PREFIX = "x-amz-checksum-"
_ALGORITHMS = ("CRC64NVME", "CRC32C", "CRC32", "SHA1", "SHA256", "SHA512", "MD5", "XXHASH64", "XXHASH3", "XXHASH128")
_MODES = ("ENABLED",)


def checksums(validation: Validation) -> Iterator[Event]:
    """Check every operation with the trait."""
    for operation in validation.model.with_trait(_CHECKSUM):
        if isinstance(operation, OperationShape):
            yield from _check(validation, operation, expect_object(operation.trait(_CHECKSUM)))


def _check(validation: Validation, operation: OperationShape, trait: Mapping[str, Node]) -> Iterator[Event]:
    request = trait.get("requestChecksumRequired") is True or "requestAlgorithmMember" in trait
    response = bool(trait.get("responseAlgorithms")) or "requestValidationModeMember" in trait
    if not request and not response:
        message = "The `httpChecksum` trait must define at least one of the `request` or `response` checksum behaviors."
        yield error(_ID, operation, message, trait=_CHECKSUM)
    given = validation.bindings.input_of(operation)
    if given is None:
        return
    if request:
        if "requestAlgorithmMember" in trait:
            yield from _check_enum(validation, operation, given, "requestAlgorithmMember", _ALGORITHMS)
        yield from _check_headers(operation, given)
    if response:
        yield from _check_response(validation, operation, given, trait)


def _check_response(
    validation: Validation, operation: OperationShape, given: Shape, trait: Mapping[str, Node]
) -> Iterator[Event]:
    missing = "The `httpChecksum` trait must model the `{}` property to support response checksum behavior."
    if "requestValidationModeMember" not in trait:
        yield error(_ID, operation, missing.format("requestValidationModeMember"), trait=_CHECKSUM)
    else:
        yield from _check_enum(validation, operation, given, "requestValidationModeMember", _MODES)
    if not trait.get("responseAlgorithms"):
        yield error(_ID, operation, missing.format("responseAlgorithms"), trait=_CHECKSUM)
    for shape_id in (operation.output, *operation.errors):
        shape = validation.model.get(shape_id)
        if shape is not None:
            yield from _check_headers(operation, shape)


def _check_enum(
    validation: Validation, operation: OperationShape, given: Shape, key: str, supported: tuple[str, ...]
) -> Iterator[Event]:
    member = given.members.get(expect_object(operation.trait(_CHECKSUM))[key])
    subject = f"The `{key}` property of the `httpChecksum` trait targets a member"
    if member is None:
        yield error(_ID, operation, f"{subject} that does not exist.", trait=_CHECKSUM)
        return
    target = validation.model.target(member)
    values = _enum_values(member) or (_enum_values(target) if target is not None else None)
    if values is None:
        yield error(_ID, operation, f"{subject} that does not resolve an `enum` trait.", trait=_CHECKSUM)
        return
    unsupported = [each for each in values if each not in supported]
    if unsupported:
        message = f"{subject} with an `enum` trait that contains unsupported values: {quoted(unsupported)}"
        yield error(_ID, operation, message, trait=_CHECKSUM)


def _enum_values(shape: Shape) -> list[str] | None:
    if shape.type is ShapeType.ENUM:
        return [str(member.trait("enumValue")) for member in shape.members.values()]
    return [each["value"] for each in shape.trait("enum")] if shape.has_trait("enum") else None


def _check_headers(operation: OperationShape, structure: Shape) -> Iterator[Event]:
    for member in structure.members.values():
        prefix, header = member.trait("httpPrefixHeaders"), member.trait("httpHeader")
        if isinstance(prefix, str) and _PREFIX.startswith(prefix):
            message = (
                f"The `httpPrefixHeaders` binding of `{structure.name}` uses the prefix `{prefix.lower()}` that "
                f"conflicts with the prefix `{_PREFIX}` used by the `httpChecksum` trait."
            )
            event_id = f"{_ID}.HttpPrefixHeaders.{structure.name}.{prefix.lower()}"
            yield event(event_id, EventSeverity.DANGER, operation, message)
        if isinstance(header, str) and header.startswith(_PREFIX):
            message = (
                f"The `httpHeader` binding of `{header.lower()}` on `{structure.name}` starts with the prefix "
                f"`{_PREFIX}` used by the `httpChecksum` trait."
            )
            yield warning(f"{_ID}.HttpHeader.{structure.name}.{header.lower()}", operation, message)
