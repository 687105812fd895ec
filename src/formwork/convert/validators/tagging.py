"""Tagging: TagEnabledService, ServiceTagging, TaggableResource, TagResourcePropertyName and TagResourcePropertyType."""

import re
from collections.abc import Iterator

from formwork.convert.resource.tagging import APIS, TAG_ENABLED, TAGGABLE, TaggingIndex
from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, ServiceShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, event, warning

_NAMES = dict(zip(APIS, ("TagResource", "UntagResource", "ListTagsForResource"), strict=True))
_ARN_MEMBER = re.compile(r"(?:[R|r]esource)?(?:[A|a]rn|ARN)")
_TAGS = re.compile(r"[T|t]ag(s|s?[M|m]ap|[L|l]ist)")
_KEYS = re.compile(r"(?:[T|t]ag(?:[K|k]eys|[K|k]ey[L|l]ist))|tagNames|TagNames")
_STRINGS = (ShapeType.STRING, ShapeType.ENUM)


def service_tagging(validation: Validation) -> Iterator[Event]:
    """Check that a service marked as tagged has the operations for it."""
    for service in validation.model.services:
        if not service.has_trait(TAG_ENABLED):
            continue
        index = TaggingIndex(validation.model, service)
        config = (service.trait(TAG_ENABLED) or {}).get("apiConfig", {})
        operations = index.service_operations
        found = dict(zip(APIS, (operations.tag, operations.untag, operations.list_tags), strict=True))
        for api, operation in found.items():
            yield from _check_api(validation, service, api, operation, config.get(api))
        good = all(each is not None and _is_good(validation, api, each) for api, each in found.items())
        shapes = map(validation.model.get, validation.closure(service))
        if not any(each is not None and each.has_trait(TAGGABLE) for each in shapes):
            message = "Service marked `aws.api#tagEnabled` trait must have at least one `aws.api#taggable` resource."
            yield error("TagEnabledService", service, message)
        disabled = (service.trait(TAG_ENABLED) or {}).get("disableDefaultOperations", False)
        if not good and not disabled:
            message = (
                "Service marked `aws.api#tagEnabled` trait does not have consistent tagging operations implemented: "
                "{TagResource, UntagResource, and ListTagsForResource}."
            )
            yield warning("TagEnabledService", service, message)


def _check_api(
    validation: Validation, service: ServiceShape, api: str, operation: OperationShape | None, configured: str | None
) -> Iterator[Event]:
    name = _NAMES[api]
    named = [each for each in service.operations if each.partition("#")[2] == name]
    if configured and named and configured not in named:
        message = (
            f"Service has `apiConfig.{api}` set to `{configured}` but also has a service-bound operation named "
            f"`{name}`. The default-named operation will be ignored for tagging API discovery. Remove either the "
            f"`apiConfig` override or the `{name}` operation to avoid ambiguity."
        )
        yield warning("TagEnabledService", service, message)
    if operation is None:
        message = f"Service marked `aws.api#TagEnabled` is missing an operation named '{name}.'"
        yield warning("ServiceTagging", service, message)
    elif not _is_good(validation, api, operation):
        message = f"Shape `{operation.id}` does not satisfy '{name}' operation requirements."
        yield event("ServiceTagging", EventSeverity.DANGER, service, message)


def _is_good(validation: Validation, api: str, operation: OperationShape) -> bool:
    """Return whether an operation takes a resource's ARN and the tags, or keys, or gives them back."""
    bindings = validation.bindings
    given = bindings.input_of(operation)
    members = given.members if given is not None else {}
    has_arn = any(_ARN_MEMBER.fullmatch(name) and _is_string(validation, each) for name, each in members.items())
    match api:
        case "tagApi":
            return has_arn and any(
                _TAGS.fullmatch(name) and _holds_tags(validation, each) for name, each in members.items()
            )
        case "untagApi":
            return has_arn and any(
                _KEYS.fullmatch(name) and _holds_keys(validation, each) for name, each in members.items()
            )
        case _:
            output = bindings.output_of(operation)
            outputs = output.members if output is not None else {}
            return has_arn and any(
                _TAGS.fullmatch(name) and _holds_tags(validation, each) for name, each in outputs.items()
            )


def _is_string(validation: Validation, member: MemberShape) -> bool:
    target = validation.model.target(member)
    return target is not None and target.type in _STRINGS


def _holds_tags(validation: Validation, member: MemberShape) -> bool:
    target = validation.model.target(member)
    return target is not None and is_tag_type(validation, target)


def is_tag_type(validation: Validation, shape: Shape) -> bool:
    """Return a list of pairs of strings, or a map of strings."""
    if shape.type is ShapeType.MAP:
        return _is_string(validation, shape.members["value"])
    if shape.type not in (ShapeType.LIST, ShapeType.SET):
        return False
    pair = validation.model.target(shape.members["member"])
    if pair is None or pair.type is not ShapeType.STRUCTURE:
        return False
    return len(pair.members) == 2 and all(_is_string(validation, each) for each in pair.members.values())


def _holds_keys(validation: Validation, member: MemberShape) -> bool:
    target = validation.model.target(member)
    if target is None or target.type not in (ShapeType.LIST, ShapeType.SET):
        return False
    return _is_string(validation, target.members["member"])


def taggable_resources(validation: Validation) -> Iterator[Event]:
    """Check that resources marked as taggable can be tagged, and that others are marked if they can."""
    for service in validation.model.services:
        index = TaggingIndex(validation.model, service)
        shapes = [validation.model.get(each) for each in validation.closure(service)]
        resources = [each for each in shapes if isinstance(each, ResourceShape)]
        if any(each.has_trait(TAGGABLE) for each in resources) and not service.has_trait(TAG_ENABLED):
            message = (
                "Service has resources with `aws.api#taggable` applied but does not have the `aws.api#tagEnabled` "
                "trait."
            )
            yield warning("TaggableResource", service, message)
        for resource in resources:
            yield from _check_resource(validation, index, service, resource)


def _check_resource(
    validation: Validation, index: TaggingIndex, service: ServiceShape, resource: ResourceShape
) -> Iterator[Event]:
    wide = dict(zip(APIS, _all_service_operations(index), strict=True))
    service_wide = all(each is not None and _is_good(validation, api, each) for api, each in wide.items())
    if not resource.has_trait(TAGGABLE):
        if service_wide and resource.has_trait("aws.api#arn"):
            yield warning("TaggableResource", resource, "Resource is likely missing `aws.api#taggable` trait.")
        return
    own = isinstance((resource.trait(TAGGABLE) or {}).get("apiConfig"), dict)
    if own:
        tags = validation.model.get(resource.properties.get((resource.trait(TAGGABLE) or {}).get("property", ""), ""))
        own = tags is None or is_tag_type(validation, tags)
    if service_wide and not own and not resource.has_trait("aws.api#arn"):
        message = "Resource is taggable only via service-wide tag operations. It must use the `aws.api@arn` trait."
        yield error("TaggableResource", resource, message)
    elif not service_wide and not own:
        message = (
            "Resource does not have tagging CRUD operations and is not compatible with service-wide tagging "
            f"operations for service `{service.id}`."
        )
        yield event("TaggableResource", EventSeverity.DANGER, resource, message)
    yield from _check_updates(validation, resource)


def _all_service_operations(index: TaggingIndex) -> tuple[OperationShape | None, ...]:
    operations = index.service_operations
    return (operations.tag, operations.untag, operations.list_tags)


def _check_updates(validation: Validation, resource: ResourceShape) -> Iterator[Event]:
    tags = (resource.trait(TAGGABLE) or {}).get("property")
    for lifecycle in ("update", "put"):
        operation = validation.model.get(resource.lifecycle.get(lifecycle, ""))
        if not tags or not isinstance(operation, OperationShape):
            continue
        structure = validation.bindings.input_of(operation)
        members = structure.members.values() if structure is not None else ()
        if any(validation.bindings.bound_property(each) == tags for each in members):
            message = (
                "Update and put resource lifecycle operations should not support updating tags because it is a "
                "privileged operation that modifies access."
            )
            yield event("TaggableResource", EventSeverity.DANGER, operation, message)


def tag_properties(validation: Validation) -> Iterator[Event]:
    """Check that the property that @taggable names can hold tags, and its name."""
    for resource in validation.model.resources:
        name = (resource.trait(TAGGABLE) or {}).get("property")
        if not name or name not in resource.properties:
            continue
        if not _TAGS.fullmatch(name):
            yield warning("TagResourcePropertyName", resource, "Suggested tag property name is '[T|t]ags'.")
        target = validation.model.get(resource.properties[name])
        if target is not None and not is_tag_type(validation, target):
            message = (
                "Tag property must be a list shape targeting a member containing a pair of strings, or a Map shape "
                "targeting a string member."
            )
            yield error("TagResourcePropertyType", resource, message)
