"""HttpBindingsMissing and HttpUriFormat: all operations of a service have HTTP bindings or none, with URIs in ASCII."""

from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import expect_object
from formwork.smithy.shape_ids import sort_key
from formwork.smithy.shapes import ServiceShape
from formwork.smithy.validators.context import Validation, error, event

_TRAIT = "smithy.api#http"


def missing_bindings(validation: Validation) -> Iterator[Event]:
    """Report operations without `http` where a protocol of their service, or another operation, has it."""
    if not validation.model.with_trait("http"):
        return
    for service in validation.model.services:
        operations = validation.operations_of(service)
        protocol = _protocol_with_bindings(validation, service)
        if protocol is None and not any(each.has_trait("http") for each in operations):
            continue
        severity = EventSeverity.WARNING if protocol is None else EventSeverity.ERROR
        reason = "One or more" if protocol is None else f"The `{protocol}` protocol requires all"
        for operation in operations:
            if not operation.has_trait("http"):
                message = (
                    f"{reason} operations in the `{service.id}` service define the `http` trait, but this operation is "
                    "missing the `http` trait."
                )
                yield event("HttpBindingsMissing", severity, operation, message)


def _protocol_with_bindings(validation: Validation, service: ServiceShape) -> str | None:
    for trait in sorted(service.traits, key=sort_key):
        definition = validation.model.trait_definitions.get(trait)
        protocol = expect_object(definition.trait("protocolDefinition") if definition is not None else None)
        if _TRAIT in protocol.get("traits", ()):
            return trait
    return None


def uri_formats(validation: Validation) -> Iterator[Event]:
    """Report URIs with characters beyond ASCII."""
    for operation in validation.model.with_trait("http"):
        uri = expect_object(operation.trait("http")).get("uri")
        if isinstance(uri, str) and not uri.isascii():
            yield error("HttpUriFormat", operation, f"@http trait `uri` is invalid: {uri}", trait=_TRAIT)
