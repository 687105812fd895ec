"""ConditionKeys, ConditionKeyValueTrait and DefineConditionKeysTrait: the keys of IAM conditions are defined, once."""

from collections import defaultdict
from collections.abc import Iterator

from formwork.convert.naming import capitalize
from formwork.smithy.events import Event
from formwork.smithy.hash_order import hash_set_order
from formwork.smithy.nodes import expect_object
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, ServiceShape, Shape
from formwork.smithy.validators.context import Validation, error, quoted

_SERVICE = "aws.api#service"
_DEFINED = "aws.iam#defineConditionKeys"
_RESOLVED = "aws.iam#serviceResolvedConditionKeys"
_KEYS = "aws.iam#conditionKeys"
_VALUE = "aws.iam#conditionKeyValue"
_NOT_INFERRED = "aws.iam#disableConditionKeyInference"


def condition_keys(validation: Validation) -> Iterator[Event]:
    """Check that keys that operations, members and services refer to are defined or follow from identifiers."""
    for service in validation.model.services:
        if not service.has_trait(_SERVICE):
            continue
        root = _root(service)
        defined = (_full(each, root) for each in expect_object(service.trait(_DEFINED)))
        known = hash_set_order((*defined, *_inferred(validation, service, root)))
        expected = f"Expected one of the following defined condition keys: [{quoted(known)}]"
        resolved = [_full(each, root) for each in service.trait(_RESOLVED) or ()]
        unknown = [each for each in resolved if each not in known]
        if unknown:
            message = (
                f"The condition keys resolved by the `{service.id}` service refer to undefined condition key(s) "
                f"[{quoted(unknown)}]. {expected}"
            )
            yield error("ConditionKeys", service, message, trait=_RESOLVED)
        for operation in validation.operations_of(service):
            yield from _check_operation(service, operation, known, expected)
            for member in _valued(validation, operation):
                key = _full(member.trait(_VALUE), root)
                scope = f"scoped within the `{service.id}` service"
                subject = f"This operation `{operation.id}` {scope} with member `{member.id}`"
                if key not in known:
                    message = f"{subject} refers to an undefined condition key `{key}`. {expected}"
                    yield error("ConditionKeys", member, message, trait=_VALUE)
                if key in resolved:
                    message = f"{subject} refers to a condition key `{key}` that is also resolved by service."
                    yield error("ConditionKeys", member, message, trait=_VALUE)


def _root(service: ServiceShape) -> str:
    return str(expect_object(service.trait(_SERVICE)).get("arnNamespace") or service.name.lower())


def _full(key: str, root: str) -> str:
    """Return a key with the service it belongs to: its own where it doesn't say."""
    return key if ":" in key else f"{root}:{key}"


def _check_operation(
    service: ServiceShape, operation: OperationShape, known: list[str], expected: str
) -> Iterator[Event]:
    for key in (_full(each, _root(service)) for each in operation.trait(_KEYS) or ()):
        if key not in known and not key.startswith("aws:"):
            message = (
                f"This operation scoped within the `{service.id}` service refers to an undefined condition key "
                f"`{key}`. {expected}"
            )
            yield error("ConditionKeys", operation, message)


def _valued(validation: Validation, operation: OperationShape) -> list[MemberShape]:
    given = validation.bindings.input_of(operation)
    return [each for each in given.members.values() if each.has_trait(_VALUE)] if given is not None else []


def _inferred(validation: Validation, service: ServiceShape, root: str) -> Iterator[str]:
    """`service:ResourceIdentifier` of every identifier that a resource brings itself."""
    todo: list[tuple[str, ResourceShape | None]] = [(each, None) for each in service.resources]
    for resource_id, parent in todo:  # grows while it is walked
        resource = validation.model.get(resource_id)
        if not isinstance(resource, ResourceShape) or len(todo) > len(validation.model.shapes):
            continue
        todo += [(each, resource) for each in resource.resources]
        own = resource.identifiers.keys() - (parent.identifiers.keys() if parent is not None else ())
        if not resource.has_trait(_NOT_INFERRED):
            yield from (f"{root}:{_key_name(resource)}{capitalize(name)}" for name in sorted(own))


def _key_name(resource: Shape) -> str:
    name = expect_object(resource.trait("aws.iam#iamResource")).get("name")
    return capitalize(name) if isinstance(name, str) and name else resource.name


def values_of_keys(validation: Validation) -> Iterator[Event]:
    """Check that a key's value comes from one member."""
    for service in validation.model.services:
        for operation in validation.operations_of(service):
            names: dict[str, list[str]] = defaultdict(list)
            for member in _valued(validation, operation):
                names[str(member.trait(_VALUE))].append(member.member_name)
            given = validation.bindings.input_of(operation)
            for key, members in names.items():
                if len(members) > 1 and given is not None:
                    message = (
                        f"The `{key}` condition key has its value supplied in the `{operation.id}` operation's input "
                        f"shape by multiple members [{quoted(members)}]. This value must only be supplied by one "
                        "member."
                    )
                    yield error("ConditionKeyValueTrait", given, message)


def defined_keys(validation: Validation) -> Iterator[Event]:
    """Check that required keys are resolved by the service."""
    for service in validation.model.with_trait(_DEFINED):
        resolved = service.trait(_RESOLVED) or []
        for key, definition in expect_object(service.trait(_DEFINED)).items():
            if expect_object(definition).get("required") is True and key not in resolved:
                message = (
                    f"The `{key}` condition key is defined as required but is resolved from the request. This "
                    "property is only valid for condition keys resolved by the service, it MUST also be specified in "
                    "the `@serviceResolvedConditionKeys` trait or use the `@required` trait instead."
                )
                yield error("DefineConditionKeysTrait", service, message, trait=_DEFINED)
