"""PrivateMixinMember."""

from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.validators.context import Validation, warning


def private_mixin_members(validation: Validation) -> Iterator[Event]:
    """Report @private on members of mixins, where it has no effect."""
    for shape in validation.model.with_trait("mixin"):
        for member in shape.members.values():
            if member.has_trait("private"):
                message = (
                    "The `@private` trait does not prevent a mixin member from being inherited by shapes in other "
                    "namespaces, nor does it prevent new traits from being added to the inherited member. Apply "
                    "`@private` to the mixin shape or target shape instead if cross-namespace access should be "
                    "restricted."
                )
                yield warning("PrivateMixinMember", member, message)
