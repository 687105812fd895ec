"""The members that the schema of a resource is written from: one a property."""

from msgspec.structs import replace

from formwork.convert.errors import conversion_error
from formwork.convert.naming import tags_member_name
from formwork.convert.options import CfnOptions
from formwork.convert.resource.index import CfnResource
from formwork.convert.resource.tagging import TAGGABLE, TaggingIndex
from formwork.smithy.model import Model
from formwork.smithy.shapes import MemberShape, ShapeType


def synthetic_members(
    model: Model, options: CfnOptions, cfn: CfnResource, tagging: TaggingIndex
) -> dict[str, MemberShape]:
    """Return a member a property, by name, and the tags where only the tag operations have them."""
    container = f"{cfn.shape.id}__SYNTHETIC__"
    members: dict[str, MemberShape] = {}
    for name, each in cfn.properties.items():
        shape = model.get(each.representative)
        if isinstance(shape, MemberShape):
            members[name] = _moved(shape, container, name)
        else:
            members[name] = _plain(container, name, each.representative)
    tags = _tags_member(model, options, cfn, tagging, container)
    if tags is not None:
        members[tags.member_name] = tags
    return members


def _moved(member: MemberShape, container: str, name: str) -> MemberShape:
    return replace(member, id=f"{container}${name}", container=container, member_name=name)


def _plain(container: str, name: str, target: str) -> MemberShape:
    return MemberShape(
        id=f"{container}${name}", type=ShapeType.MEMBER, container=container, member_name=name, target=target
    )


def _tags_member(
    model: Model, options: CfnOptions, cfn: CfnResource, tagging: TaggingIndex, container: str
) -> MemberShape | None:
    resource = cfn.shape
    if not resource.has_trait(TAGGABLE):
        return None
    tags = (resource.trait(TAGGABLE) or {}).get("property")
    if tags in cfn.properties:
        return None
    name = tags_member_name(tags, options)
    if not tags:
        member = tagging.tags_member(tagging.operations_for(resource).tag)
        if member is None:
            message = f"{resource.id} is @taggable, but nothing says where its tags are"
            raise conversion_error(
                message, hint="give @taggable a property, or mark the service with @tagEnabled and model TagResource"
            )
        return _moved(member, container, name)
    target = resource.properties.get(tags)
    if target is None or target not in model.shapes:
        message = f'{resource.id} is @taggable with the property "{tags}", which the resource doesn\'t have'
        raise conversion_error(message, hint="add it to the properties of the resource")
    return _plain(container, name, target)
