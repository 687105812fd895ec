"""CfnMutabilityTrait and CfnResourceProperty: properties that a resource type can have."""

from collections.abc import Iterator

from formwork.convert.naming import CFN_RESOURCE
from formwork.convert.resource.index import CfnResource, cfn_resource
from formwork.smithy.events import Event
from formwork.smithy.shapes import ShapeType
from formwork.smithy.validators.context import Validation, error

_MUTABILITY = "aws.cloudformation#cfnMutability"
_ADDITIONAL = "aws.cloudformation#cfnAdditionalIdentifier"


def mutability_of_identifiers(validation: Validation) -> Iterator[Event]:
    """Check that additional identifiers can be read."""
    for shape in validation.model.with_trait(_ADDITIONAL):
        value = shape.trait(_MUTABILITY)
        if value in ("write", "create"):
            message = f'Member with the mutability value of "{value}" is also marked as an additional identifier'
            yield error("CfnMutabilityTrait", shape, message, trait=_MUTABILITY)


def resource_properties(validation: Validation) -> Iterator[Event]:
    """Check that a property has one target, and that alternative identifiers are string properties."""
    for resource in validation.model.resources:
        if not resource.has_trait(CFN_RESOURCE):
            continue
        cfn = cfn_resource(validation.bindings, resource)
        yield from _identifier_problems(validation, cfn)
        for name, targets in cfn.conflicts.items():
            type_name = (resource.trait(CFN_RESOURCE) or {}).get("name") or resource.name
            message = (
                f"The `{name}` property of the generated `{type_name}` CloudFormation resource targets multiple "
                f"shapes: [{', '.join(sorted(targets))}]. Reusing member names that target different shapes can cause "
                "confusion for users of the API. This target discrepancy must either be resolved in the model or one "
                "of the members must be excluded from the conversion."
            )
            yield error("CfnResourceProperty", resource, message)


def _identifier_problems(validation: Validation, cfn: CfnResource) -> Iterator[Event]:
    name = (cfn.shape.trait(CFN_RESOURCE) or {}).get("primaryIdentifier")
    if name is None:
        return
    if name not in cfn.shape.properties:
        message = f"The alternative resource primary identifier, `{name}`, must be a property of the resource."
        yield error("CfnResourceProperty", cfn.shape, message)
        return
    target = validation.model.get(cfn.shape.properties[name])
    if target is not None and target.type not in (ShapeType.STRING, ShapeType.ENUM):
        message = (
            f"The alternative resource primary identifier, `{name}`, targets a `{target.type}` shape, it must target "
            "a `string`."
        )
        yield error("CfnResourceProperty", cfn.shape, message)
