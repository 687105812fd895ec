"""One mapper a concern: each adds its keys to a resource schema and knows nothing of the others.

A mapper is a function (context, schema) → None that changes `schema` in place; MAPPERS gives their order.
"""

from collections.abc import Callable
from typing import Any

from formwork.convert.context import ConversionContext
from formwork.convert.mappers.additional_properties import close_definitions
from formwork.convert.mappers.deprecated import add_deprecated
from formwork.convert.mappers.documentation import add_documentation
from formwork.convert.mappers.handlers import add_handlers
from formwork.convert.mappers.identifiers import add_identifiers
from formwork.convert.mappers.json_add import add_configured
from formwork.convert.mappers.mutability import add_mutability
from formwork.convert.mappers.required import add_required
from formwork.convert.mappers.tagging import add_tagging

MAPPERS: tuple[Callable[[ConversionContext, dict[str, Any]], None], ...] = (
    add_deprecated,
    add_documentation,
    add_handlers,
    add_identifiers,
    add_mutability,
    add_required,
    add_tagging,
    close_definitions,
    add_configured,
)
