"""`sourceUrl` and `documentationUrl`."""

from collections.abc import Iterable, Mapping
from typing import Any

from formwork.convert.context import ConversionContext
from formwork.convert.errors import conversion_error


def add_documentation(context: ConversionContext, schema: dict[str, Any]) -> None:
    """Links from the resource's @externalDocumentation: the first of the configured names that it has."""
    links = context.resource.trait("externalDocumentation")
    if not isinstance(links, dict):
        return
    by_name: dict[str, str] = {}
    for name, link in links.items():
        if name.lower() in by_name:
            message = (
                f'the @externalDocumentation of {context.resource.id} has the name "{name}" twice but for its case'
            )
            raise conversion_error(message, hint="rename one of the links")
        by_name[name.lower()] = link
    _add(schema, "sourceUrl", by_name, context.options.source_docs)
    _add(schema, "documentationUrl", by_name, context.options.external_docs)


def _add(schema: dict[str, Any], key: str, links: Mapping[str, str], names: Iterable[str]) -> None:
    link = next((links[name.lower()] for name in names if name.lower() in links), None)
    if link is not None:
        schema[key] = link
