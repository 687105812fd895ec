"""ArnTrait and ArnTemplate: the templates of ARNs name the identifiers of their resources, and only these."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.nodes import expect_object
from formwork.smithy.shapes import ResourceShape
from formwork.smithy.validators.context import Validation, error, quoted

_TRAIT = "aws.api#arn"
_LABEL = re.compile(r"\{([^}]+)\}")
_LABEL_PATTERN = "^[!|+]?[a-zA-Z_][a-zA-Z0-9_]*$"


def delimiters(validation: Validation) -> Iterator[Event]:
    """Check the delimiters of ARNs."""
    for resource in validation.model.with_trait(_TRAIT):
        value = resource.trait(_TRAIT)
        if value.get("resourceDelimiter") and not value.get("absolute"):
            message = "A `resourceDelimiter` can only be set for an `absolute` ARN."
            yield error("ArnTrait", resource, message, trait=_TRAIT)


def templates(validation: Validation) -> Iterator[Event]:
    """Check the templates of every resource of an AWS service."""
    for service in validation.model.services:
        if not service.has_trait("aws.api#service"):
            continue
        for shape_id in validation.closure(service):
            resource = validation.model.get(shape_id)
            template = expect_object(resource.trait(_TRAIT) if resource is not None else None).get("template")
            if isinstance(resource, ResourceShape) and isinstance(template, str):
                yield from _check_template(resource, template)


def _check_template(resource: ResourceShape, template: str) -> Iterator[Event]:
    labels = _LABEL.findall(template)
    invalid = sorted(label for label in labels if not re.search(_LABEL_PATTERN, label))
    if invalid:
        message = (
            f"aws.api#arn trait contains invalid template labels: {quoted(invalid)}. Template labels must match the "
            f"following regular expression: {_LABEL_PATTERN}"
        )
        yield error("ArnTemplate", resource, message, trait=_TRAIT)
        return
    start = f"Invalid aws.api#arn trait resource, `{template}`."
    missing = sorted(resource.identifiers.keys() - set(labels))
    if missing:
        message = (
            f"{start} The following resource identifier names were missing from the `arn` template: {quoted(missing)}"
        )
        yield error("ArnTemplate", resource, message, trait=_TRAIT)
    extra = sorted(set(labels) - resource.identifiers.keys())
    if extra:
        message = (
            f"{start} Found template labels in the trait that are not the names of the identifiers of the resource: "
            f"[{', '.join(resource.identifiers)}]. Extraneous identifiers: [{quoted(extra)}]"
        )
        yield error("ArnTemplate", resource, message, trait=_TRAIT)
