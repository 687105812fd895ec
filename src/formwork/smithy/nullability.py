"""Whether a member of a structure may be absent, as each version of the language sees it."""

from formwork.smithy.loading.upgrade import BOX, ZERO_VALUES
from formwork.smithy.model import Model
from formwork.smithy.shapes import MemberShape, ShapeType


def is_nullable(model: Model, member: MemberShape) -> bool:
    """Return whether a member may be absent under the rules of version 2.0.

    In structures a required member, or one with a default that isn't null, is always there, unless it is nullable for
    clients; in lists and maps only sparse ones hold nothing; members of unions never do.
    """
    container = model.get(member.container)
    if container is None:
        return False
    match container.type:
        case ShapeType.STRUCTURE:
            if member.has_trait("clientOptional") or container.has_trait("input"):
                return True
            if member.has_trait("required"):
                return False
            return not (member.has_trait("default") and member.trait("default") is not None)
        case ShapeType.LIST | ShapeType.SET | ShapeType.MAP:
            return container.has_trait("sparse") and member.member_name != "key"
        case _:
            return False


def is_boxed(model: Model, member: MemberShape) -> bool:
    """Return whether a member or its target is boxed for version 1.0, by @box or by 2.0's equivalent."""
    target = model.target(member)
    if BOX in member.traits or (member.has_trait("default") and member.trait("default") is None):
        return True
    if target is None or target.type not in ZERO_VALUES:
        return False
    return BOX in target.traits or target.trait("default") is None


def is_nullable_in_v1(member: MemberShape) -> bool:
    """Return whether a member may be absent for clients of version 1.0, which fill in zero and false."""
    value = member.trait("default")
    has_zero = (
        member.has_trait("default") and value is not None and not isinstance(value, str | list | dict) and value == 0
    )
    return not has_zero or member.has_trait("addedDefault")
