"""Protocols, authentication and smaller traits: AuthTrait, CorsTrait, JsonName, IdempotentTrait and others."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.shape_ids import UNIT
from formwork.smithy.shapes import MemberShape, ShapeType
from formwork.smithy.validators.context import Validation, error, event, quoted, warning

_COMPRESSIONS = ("gzip",)


def auth(validation: Validation) -> Iterator[Event]:
    """Check AuthTrait and ServiceAuthDefinitions: schemes that the service has, in an explicit order."""
    schemes = {each.id for each in validation.model.with_trait("authDefinition")}
    for service in validation.model.services:
        own = schemes & service.traits.keys()
        if len(own) > 1 and not service.has_trait("auth"):
            message = (
                "This service uses multiple authentication schemes but does not have the `@auth` trait applied. The "
                "`@auth` trait defines a priority ordering of auth schemes for a client to use. Without it, the "
                "ordering of auth schemes is alphabetical based on the absolute shape ID of the auth schemes."
            )
            yield warning("ServiceAuthDefinitions", service, message)
        for shape in (service, *validation.operations_of(service)):
            wanted = shape.trait("auth")
            missing = sorted(each for each in wanted or () if each not in own) if isinstance(wanted, list) else []
            if missing:
                message = (
                    "auth trait applies authentication that is not configured on the service shape, "
                    f"`{service.id}`: [{', '.join(missing)}]"
                )
                yield event("AuthTrait", EventSeverity.DANGER, shape, message)


def cors(validation: Validation) -> Iterator[Event]:
    """Check CorsTrait: one origin or several."""
    for shape in validation.model.with_trait("cors"):
        if {"origin", "origins"} <= shape.trait("cors").keys():
            message = "The `origin` and `origins` members of the `cors` trait are mutually exclusive."
            yield error("CorsTrait", shape, message)


def inline_documents(validation: Validation) -> Iterator[Event]:
    """Check NoInlineDocumentSupport: protocols that cannot carry documents."""
    for service in validation.model.services:
        for trait in service.traits:
            definition = validation.model.trait_definitions.get(trait)
            protocol = definition.trait("protocolDefinition") if definition is not None else None
            if not isinstance(protocol, dict) or not protocol.get("noInlineDocumentSupport"):
                continue
            documents = sorted(
                each
                for each in validation.closure(service)
                if (shape := validation.model.get(each)) is not None and shape.type is ShapeType.DOCUMENT
            )
            if documents:
                message = (
                    f"This service uses the `{trait}` protocol which does not support inline document types, but the "
                    f"following document types were found in the closure of the service: [{', '.join(documents)}]"
                )
                yield error("NoInlineDocumentSupport", service, message)


def json_names(validation: Validation) -> Iterator[Event]:
    """Check JsonName: names are unique in a structure."""
    containers = {each.id.partition("$")[0] for each in validation.model.with_trait("jsonName")}
    for shape_id in containers:
        shape = validation.model.expect(shape_id)
        names: dict[str, list[str]] = defaultdict(list)
        for member in shape.members.values():
            names[member.trait("jsonName") or member.member_name].append(member.member_name)
        for name, members in names.items():
            if len(members) > 1:
                message = (
                    f"This shape contains members with conflicting JSON names that resolve to '{name}': "
                    f"{', '.join(sorted(members))}"
                )
                yield error("JsonName", shape, message)


def idempotent(validation: Validation) -> Iterator[Event]:
    """Check IdempotentTrait: errors that the operation has, of one sort."""
    for operation in validation.model.operations:
        value = operation.trait("idempotent")
        if not isinstance(value, dict):
            continue
        if {"exists", "notFound"} <= value.keys():
            message = (
                "The `exists` and `notFound` properties of the `@idempotent` trait are mutually exclusive. Only one "
                "may be specified."
            )
            yield error("IdempotentTrait", operation, message)
        for name in ("exists", "notFound"):
            for failure in value.get(name, ()):
                if failure not in operation.errors:
                    message = (
                        f"The `{name}` property references error `{failure}`, but it is not in the operation's errors "
                        f"list. Expected one of {quoted(operation.errors)}"
                    )
                    yield error("IdempotentTrait", operation, message)


def request_compression(validation: Validation) -> Iterator[Event]:
    """Check RequestCompressionTrait: known algorithms, on inputs that do not require a length beforehand."""
    for operation in validation.model.operations:
        value = operation.trait("requestCompression")
        if not isinstance(value, dict):
            continue
        encodings = value.get("encodings", [])
        unknown = [each for each in encodings if str(each).lower() not in _COMPRESSIONS]
        if not encodings:
            message = (
                "There must be at least one compression algorithm in `encodings` for the `requestCompression` trait "
                f"applied to `{operation.id}`"
            )
            yield error("RequestCompressionTrait", operation, message)
        elif unknown:
            plural = "s" if len(unknown) > 1 else ""
            message = (
                f"Invalid compression algorithm{plural} found in `requestCompression` trait applied to "
                f"`{operation.id}`: {quoted(unknown)}"
            )
            yield error("RequestCompressionTrait", operation, message)
        if operation.input == UNIT:
            message = (
                "The `requestCompression` trait can only be applied to operations which have an input shape defined"
            )
            yield error("RequestCompressionTrait", operation, message)
        structure = validation.bindings.input_of(operation)
        for member in structure.members.values() if structure is not None else ():
            target = validation.model.target(member)
            if target is not None and target.has_trait("streaming") and target.has_trait("requiresLength"):
                message = (
                    "The `requestCompression` trait can only be applied to operations which do not have input members "
                    "that target shapes with both the `streaming` and `requiresLength` traits applied, but found "
                    f"member `{member.id}` targeting `{target.id}`"
                )
                yield error("RequestCompressionTrait", operation, message)


def flattened_names(validation: Validation) -> Iterator[Event]:
    """Check XmlFlattenedTrait: report names of items that flattening removes."""
    for member in validation.model.with_trait("xmlFlattened"):
        target = validation.model.target(member) if isinstance(member, MemberShape) else None
        item = target.members.get("member") if target is not None else None
        if item is None or not item.has_trait("xmlName") or member.has_trait("xmlName"):
            continue
        name = str(item.trait("xmlName"))
        shown = member.id.partition("$")[2]
        if name == shown:
            continue
        message = (
            f"Member is `@xmlFlattened`, so `@xmlName` of target's member (`{item.id}`) has no effect. The flattened "
            f"list elements will have the name of this member - `{shown}`. If this is unintended, you can add "
            f'`@xmlName("{name}")` to this member.'
        )
        yield warning("XmlFlattenedTrait", member, message)


def idempotency_tokens(validation: Validation) -> Iterator[Event]:
    """Report IdempotencyTokenIgnored: tokens anywhere but in the input of an operation."""
    inputs = {each.input for each in validation.model.operations}
    for member in validation.model.with_trait("idempotencyToken"):
        container = member.id.partition("$")[0]
        contexts = _ignored_contexts(validation, container)
        if container in inputs and not contexts:
            continue
        if contexts:
            listed = ", ".join(f"{name}: [{', '.join(sorted(ids))}]" for name, ids in contexts.items())
            message = (
                "The `idempotencyToken` trait only has an effect when applied to a top-level operation input member, "
                f"but it was applied and ignored in the following contexts: {{{listed}}}"
            )
            yield warning("IdempotencyTokenIgnored", member, message)


def _ignored_contexts(validation: Validation, container: str) -> dict[str, list[str]]:
    contexts: dict[str, list[str]] = defaultdict(list)
    for relation in validation.neighbors.incoming(container):
        match relation.name:
            case "":
                contexts["member target"].append(relation.source.id)
            case "output" | "error":
                contexts[relation.name].append(relation.source.id)
            case _:
                pass
    return dict(contexts)


def api_keys(validation: Validation) -> Iterator[Event]:
    """Check HttpApiKeyAuthTrait: a scheme is only for headers."""
    for service in validation.model.services:
        value = service.trait("httpApiKeyAuth")
        if isinstance(value, dict) and "scheme" in value and value.get("in") != "header":
            message = (
                "The httpApiKeyAuth trait must have an `in` value of `header` when a `scheme` is provided, found: "
                f"{value.get('in')}"
            )
            yield error("HttpApiKeyAuthTrait", service, message, trait="smithy.api#httpApiKeyAuth")
