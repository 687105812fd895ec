"""Templates that use registered types and modules: what is wrong with them."""

from functools import lru_cache

from formwork.diagnostics import BadInputError, Diagnostic, sort_diagnostics
from formwork.documents import Document, parse_document
from formwork.project.module_resources import check_resource
from formwork.schema.at_hand import SchemaCatalog
from formwork.schema.resource import ResourceSchema, build_resource_schema
from formwork.template import read_template


def check_template(document: Document, schemas: SchemaCatalog) -> list[Diagnostic]:
    """Return what is wrong with a template: with itself, and with properties of types whose schema is at hand."""
    read = read_template(document)
    found = list(read.diagnostics)
    for resource in read.template.resources.values() if read.template is not None else ():
        schema = find_schema(schemas, resource.type)
        if schema is not None and read.template is not None:
            found += check_resource(read.template, resource, schema)
    return sort_diagnostics(found)


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
