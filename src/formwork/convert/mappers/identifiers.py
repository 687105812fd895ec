"""`primaryIdentifier` and `additionalIdentifiers`."""

from typing import Any

from formwork.convert.context import ConversionContext
from formwork.convert.errors import conversion_error


def add_identifiers(context: ConversionContext, schema: dict[str, Any]) -> None:
    """The primary identifier sorted, additional ones in the order of the model."""
    cfn = context.cfn
    for name in (*cfn.primary_identifiers, *(each for names in cfn.additional_identifiers for each in names)):
        if name not in context.members:
            message = f'the identifier "{name}" of {context.resource.id} is none of its properties'
            raise conversion_error(message, hint="name a member of an operation's input or output, not a @property")
    if cfn.primary_identifiers:
        schema["primaryIdentifier"] = context.pointers(list(cfn.primary_identifiers))
    if cfn.additional_identifiers:
        additional = [[context.pointer(name) for name in names] for names in cfn.additional_identifiers]
        schema["additionalIdentifiers"] = additional
