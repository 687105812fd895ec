"""IamAction and ArnTrait: what conversions read of IAM and of ARNs says one thing."""

from collections.abc import Iterator

from formwork.smithy.events import Event, Severity
from formwork.smithy.validators.context import Validation, error, event

_ACTION = "aws.iam#iamAction"
# Property of the trait → the older trait that says the same.
_OLDER = {
    "name": "actionName",
    "documentation": "actionPermissionDescription",
    "requiredActions": "requiredActions",
}


def iam_actions(validation: Validation) -> Iterator[Event]:
    """Properties that an older trait gives too, resources that are both required and optional."""
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
            yield event("IamAction.Resources.DuplicateEntries", Severity.DANGER, operation, message, trait=_ACTION)


def arns(validation: Validation) -> Iterator[Event]:
    """Delimiters that mean something."""
    for resource in validation.model.with_trait("aws.api#arn"):
        value = resource.trait("aws.api#arn")
        if value.get("resourceDelimiter") and not value.get("absolute"):
            message = "A `resourceDelimiter` can only be set for an `absolute` ARN."
            yield error("ArnTrait", resource, message, trait="aws.api#arn")
