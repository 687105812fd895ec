"""IamAction and IamResourceTrait: the traits about IAM must not contradict each other."""

import re
from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import expect_object
from formwork.smithy.shapes import ResourceShape
from formwork.smithy.validators.context import Validation, error, event, quoted

_RESOURCE = "aws.iam#iamResource"
_ACTION = "aws.iam#iamAction"
# Property of the trait → the older trait that says the same.
_OLDER = {
    "name": "actionName",
    "documentation": "actionPermissionDescription",
    "requiredActions": "requiredActions",
}


def iam_actions(validation: Validation) -> Iterator[Event]:
    """Report properties that an older trait sets too, and resources that are both required and optional."""
    for operation in validation.model.with_trait(_ACTION):
        value = operation.trait(_ACTION)
        for name, older in _OLDER.items():
            if name in value and operation.has_trait(f"aws.iam#{older}"):
                message = (
                    f"Operation has the `{name}` property of the `@aws.iam#iamAction` trait set and the deprecated "
                    f"`@aws.iam#{older}` trait applied."
                )
                yield error(f"IamAction.ConflictingProperty.{name}", operation, message, trait=_ACTION)
        resources = value.get("resources", {})
        both = [each for each in resources.get("required", {}) if each in resources.get("optional", {})]
        if both:
            message = (
                f"Operation has the following resource names defined as both required and optional: [{', '.join(both)}]"
            )
            yield event("IamAction.Resources.DuplicateEntries", EventSeverity.DANGER, operation, message, trait=_ACTION)


def iam_resources(validation: Validation) -> Iterator[Event]:
    """Check that the name of a resource in IAM is the one in its ARN."""
    for resource in validation.model.with_trait(_RESOURCE):
        name = expect_object(resource.trait(_RESOURCE)).get("name")
        arn = expect_object(resource.trait("aws.api#arn"))
        template = arn.get("template")
        if not isinstance(name, str) or not isinstance(template, str) or arn.get("absolute") is True:
            continue
        names = [each for each in re.split(r"[/:]", template) if each and not each.startswith("{")]
        if names != [name]:
            message = (
                "The `@aws.iam#iamResource` trait applied to the resource defines an IAM resource name, "
                f"`{name}`, that does not match the `@arn` template, `{template}`, of the resource."
            )
            yield event("IamResourceTrait", EventSeverity.DANGER, resource, message, trait=_RESOURCE)


def iam_resource_names(validation: Validation) -> Iterator[Event]:
    """Check that IAM's names for the resources of a service differ, ignoring case."""
    for service in validation.model.services:
        by_name: dict[str, list[str]] = defaultdict(list)
        for shape_id in validation.closure(service):
            resource = validation.model.get(shape_id)
            if isinstance(resource, ResourceShape):
                name = expect_object(resource.trait(_RESOURCE)).get("name") or resource.name
                by_name[str(name).lower()].append(shape_id)
        for name, ids in by_name.items():
            if len(ids) > 1:
                message = (
                    "Multiple IAM resources defined with the same IAM resource name is not allowed in a service "
                    f"closure, but found multiple resources case-insensitively named `{name}` in the service "
                    f"`{service.id}`: [{quoted(sorted(ids))}]"
                )
                yield error("IamResourceTraitConflictingName", service, message)
