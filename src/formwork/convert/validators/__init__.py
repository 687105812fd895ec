"""What the traits for CloudFormation and tagging ask of a model, registered with the validation of models."""

from collections.abc import Mapping

from formwork.convert.validators import iam, properties, tagging
from formwork.smithy.validators.context import Validator

# Validator → the event ids it gives.
CFN_VALIDATORS: Mapping[Validator, tuple[str, ...]] = {
    iam.arns: ("ArnTrait",),
    iam.iam_actions: ("IamAction",),
    properties.mutability_of_identifiers: ("CfnMutabilityTrait",),
    properties.resource_properties: ("CfnResourceProperty",),
    tagging.service_tagging: ("ServiceTagging", "TagEnabledService"),
    tagging.taggable_resources: ("TaggableResource",),
    tagging.tag_properties: ("TagResourcePropertyName", "TagResourcePropertyType"),
}
