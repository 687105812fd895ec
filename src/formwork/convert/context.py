"""The context of mappers: the resource being converted and its model."""

from collections.abc import Mapping

from msgspec import Struct

from formwork.convert.json_schema.schemas import SchemaWriter, utf16_key
from formwork.convert.naming import member_base_name
from formwork.convert.options import CfnOptions
from formwork.convert.resource.index import CfnResource, ResourceProperty
from formwork.convert.resource.tagging import TaggingIndex
from formwork.smithy.model import Model
from formwork.smithy.shapes import MemberShape, ResourceShape, ServiceShape, Shape


class ConversionContext(Struct, frozen=True):
    """The resource, its service, and the members of the structure that its schema is written from.

    `members` has one member a property, by member name: a copy of the representative one, or for an identifier a
    member without traits; the tags that only tag operations know may be among them.
    """

    model: Model
    options: CfnOptions
    service: ServiceShape
    resource: ResourceShape
    cfn: CfnResource
    members: Mapping[str, MemberShape]
    writer: SchemaWriter
    tagging: TaggingIndex
    type_name: str

    def property_name(self, member_name: str) -> str:
        """Return the name in the schema of the property that a member becomes."""
        member = self.members.get(member_name)
        return member_base_name(member, self.options) if member is not None else member_name

    def pointer(self, member_name: str) -> str:
        """`/properties/Name`."""
        return f"/properties/{self.property_name(member_name)}"

    def pointers(self, names: list[str]) -> list[str]:
        """Pointers to several properties, sorted and each once."""
        return sorted(set(map(self.pointer, names)), key=utf16_key)

    def derived(self) -> Mapping[str, ResourceProperty]:
        """Return the properties that the lifecycle gives, by member name."""
        return self.cfn.properties

    def target(self, member: MemberShape) -> Shape | None:
        """Return the shape that a member targets."""
        return self.model.target(member)
