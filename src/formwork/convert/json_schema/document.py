"""Whole documents of plain JSON Schema."""

from collections.abc import Iterable
from typing import Any

from formwork.convert.errors import conversion_error
from formwork.convert.json_schema.schemas import Schema, SchemaWriter, utf16_key
from formwork.convert.options import JsonSchemaOptions
from formwork.smithy.model import Model
from formwork.smithy.reachable import reachable_from
from formwork.smithy.shapes import SERVICE_TYPES, ServiceShape, Shape


def json_schema_of(model: Model, options: JsonSchemaOptions, *, root: str | None = None) -> dict[str, Any]:
    """A JSON Schema document: with `root` the schema of that shape (a service has none) and what it needs, else of all.

    Raises:
        BadInputError: there is no such shape, or two shapes would have one definition.
    """
    root_shape = model.get(root) if root is not None else None
    if root is not None and root_shape is None:
        raise conversion_error(f'the model has no shape "{root}"')
    writer = SchemaWriter(model, options)
    document: Schema = {}
    if root_shape is not None and not isinstance(root_shape, ServiceShape):
        document |= writer.schema(root_shape)
    definitions = definitions_of(writer, _shapes(model, root_shape))
    place = options.pointer.removeprefix("#/").split("/")
    if definitions:
        _put(document, place, definitions)
    return document | dict(options.schema_document_extensions)


def _put(document: Schema, place: list[str], definitions: Schema) -> None:
    for key in place[:-1]:
        document = document.setdefault(key, {})
    document[place[-1]] = definitions


def definitions_of(writer: SchemaWriter, shapes: Iterable[Shape]) -> dict[str, Schema]:
    """Return the definitions of those of `shapes` that have one, by name, sorted."""
    found = {
        writer.references.name(shape): writer.schema(shape)
        for shape in shapes
        if shape.type not in SERVICE_TYPES and writer.is_definition(shape)
    }
    return {name: found[name] for name in sorted(found, key=utf16_key)}


def _shapes(model: Model, root: Shape | None) -> list[Shape]:
    if root is not None:
        connected = reachable_from(model, [root.id])
        return [model.shapes[each] for each in connected if each != root.id and each in model.shapes]
    traits = model.trait_definitions
    from_traits = set(reachable_from(model, traits))
    others = [shape.id for shape in model.shapes.values() if shape.id not in from_traits]
    needed = reachable_from(model, others)
    return [model.shapes[each] for each in needed if each in model.shapes and each not in traits]
