"""Templates that use registered types and modules: what is wrong with them."""

from collections.abc import Iterator
from functools import lru_cache

from formwork.diagnostics import BadInputError, Diagnostic, sort_diagnostics
from formwork.documents import Document, parse_document
from formwork.editor.kinds import is_aws_type
from formwork.project.module_resources import check_resource
from formwork.schema.at_hand import SchemaCatalog
from formwork.schema.resource import ResourceSchema, build_resource_schema
from formwork.template import Template, read_template


def check_template(document: Document, schemas: SchemaCatalog) -> list[Diagnostic]:
    """Return what is wrong with a template: with itself, and with properties of types whose schema is at hand."""
    read = read_template(document)
    return sort_diagnostics([*read.diagnostics, *_check_resources(read.template, schemas, own_types_only=False)])


def check_own_types(document: Document, schemas: SchemaCatalog) -> list[Diagnostic]:
    """Return what is wrong with properties of types whose schema is at hand and that are not AWS's."""
    return sort_diagnostics(_check_resources(read_template(document).template, schemas, own_types_only=True))


def _check_resources(
    template: Template | None, schemas: SchemaCatalog, *, own_types_only: bool
) -> Iterator[Diagnostic]:
    for resource in template.resources.values() if template is not None else ():
        if own_types_only and is_aws_type(resource.type):
            continue
        schema = find_schema(schemas, resource.type)
        if schema is not None and template is not None:
            yield from check_resource(template, resource, schema)


def find_schema(schemas: SchemaCatalog, name: str) -> ResourceSchema | None:
    """Return the schema of a type on this machine, None where there is none that can be used."""
    text = schemas.find(name)
    return None if text is None else _built(text)


@lru_cache(maxsize=128)
def _built(text: str) -> ResourceSchema | None:
    try:
        document = parse_document(text, name="schema")
    except BadInputError:
        return None
    return build_resource_schema(document) if isinstance(document.value, dict) else None
