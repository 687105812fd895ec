"""`tagging`."""

from typing import Any

from formwork.convert.context import ConversionContext
from formwork.convert.json_schema.schemas import utf16_key
from formwork.convert.mappers.handlers import permissions_of
from formwork.convert.naming import tags_member_name
from formwork.convert.resource.tagging import TAGGABLE


def add_tagging(context: ConversionContext, schema: dict[str, Any]) -> None:
    """How the resource is tagged; nothing for one that isn't @taggable."""
    if not context.resource.has_trait(TAGGABLE):
        return
    taggable = context.resource.trait(TAGGABLE) or {}
    operations = context.tagging.operations_for(context.resource)
    permissions = {each for operation in operations.all for each in permissions_of(context, operation)}
    schema["tagging"] = {
        "cloudFormationSystemTags": not taggable.get("disableSystemTags", False),
        "permissions": sorted(permissions, key=utf16_key),
        "tagOnCreate": context.tagging.is_tagged_on_create(context.resource),
        "tagProperty": f"/properties/{_tags_name(context)}",
        "tagUpdatable": True,
        "taggable": True,
    }


def _tags_name(context: ConversionContext) -> str:
    tags = (context.resource.trait(TAGGABLE) or {}).get("property")
    if context.options.strict_spec and isinstance(tags, str) and tags in context.members:
        return context.property_name(tags)
    return tags_member_name(tags, context.options)
