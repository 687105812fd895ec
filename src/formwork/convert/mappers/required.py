"""`required`."""

from typing import Any

from formwork.convert.context import ConversionContext
from formwork.convert.json_schema.schemas import utf16_key
from formwork.convert.resource.index import SmithyMutability


def add_required(context: ConversionContext, schema: dict[str, Any]) -> None:
    """Required members that a user can set at all."""
    if context.options.disable_required_property_generation:
        return
    settable = {SmithyMutability.CREATE, SmithyMutability.WRITE}
    names = {
        context.property_name(name)
        for name, each in context.derived().items()
        if context.members[name].has_trait("required") and not settable.isdisjoint(each.mutabilities)
    }
    if names:
        schema["required"] = sorted(names, key=utf16_key)
