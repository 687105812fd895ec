"""`deprecatedProperties`."""

from typing import Any

from formwork.convert.context import ConversionContext


def add_deprecated(context: ConversionContext, schema: dict[str, Any]) -> None:
    """Properties whose member, or what it targets, is marked with @deprecated."""
    if context.options.disable_deprecated_property_generation:
        return
    names = [
        name
        for name, member in context.members.items()
        if member.has_trait("deprecated")
        or ((target := context.target(member)) is not None and target.has_trait("deprecated"))
    ]
    if names:
        schema["deprecatedProperties"] = context.pointers(names)
