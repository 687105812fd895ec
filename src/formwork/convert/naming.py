"""Names in resource schemas: types, properties."""

from formwork.convert.errors import config_error
from formwork.convert.options import CfnOptions
from formwork.smithy.shapes import MemberShape, ResourceShape, ServiceShape

_SERVICE = "aws.api#service"

CFN_RESOURCE = "aws.cloudformation#cfnResource"


def capitalize(name: str) -> str:
    """`name` with its first character in title case."""
    return name[:1].title() + name[1:]


def member_base_name(member: MemberShape, options: CfnOptions) -> str:
    """Return the name a member gives a property, wherever it stands in the schema."""
    explicit = member.trait("aws.cloudformation#cfnName")
    if isinstance(explicit, str):
        return explicit
    value = member.trait("property")
    renamed = value.get("name") if isinstance(value, dict) else None
    if renamed:
        # The reference takes the option the wrong way round here.
        capital = options.disable_capitalized_properties is not options.strict_spec
        return capitalize(renamed) if capital else str(renamed)
    return member.member_name if options.disable_capitalized_properties else capitalize(member.member_name)


def organization_of(service: ServiceShape, options: CfnOptions) -> str:
    """Return the first part of type names.

    Raises:
        BadInputError: neither configured nor an AWS service.
    """
    if options.organization_name:
        return options.organization_name
    if service.has_trait(_SERVICE):
        return "AWS"
    raise config_error(
        "cloudformation is missing required property, `organizationName`",
        hint="set it in the plugin's settings or with --organization",
    )


def service_name_of(service: ServiceShape, options: CfnOptions) -> str:
    """Return the second part of type names."""
    trait = service.trait(_SERVICE) or {}
    return options.service_name or trait.get("cloudFormationName") or service.name


def type_name(service: ServiceShape, resource: ResourceShape, options: CfnOptions) -> str:
    """`Organization::Service::Resource`."""
    name = (resource.trait(CFN_RESOURCE) or {}).get("name") or resource.name
    return f"{organization_of(service, options)}::{service_name_of(service, options)}::{name}"


def tags_member_name(tags: str | None, options: CfnOptions) -> str:
    """Return the name of the property with the tags: the one configured, as properties are named, or `Tags`."""
    if not tags:
        return "Tags"
    return tags if options.disable_capitalized_properties else capitalize(tags)
