"""Values in the types that a schema declares, from the texts that CloudFormation makes of them.

In a template every scalar may be written as a text (`"5"`, `"true"`), parameters always are, and handlers are sent
every scalar as a text; see docs/decisions/1281-booleans-and-numbers-of-properties-are-sent-as-texts.md.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from formwork.documents.scalar_text import as_text
from formwork.schema.paths import ANY, PropertyPath
from formwork.schema.resource import ResourceSchema
from formwork.schema.view import UNKNOWN, Subschema

_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,400}\s*")
_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?\s*")
_SCALARS = {"string", "integer", "number", "boolean"}


def coerce_properties(schema: ResourceSchema, properties: Any) -> dict[str, Any]:
    """Return a copy of evaluated properties in the types that the schema names; what fits none stays as it is.

    Texts become scalars, and scalars texts, where the schema wants that.
    """
    coerced = _Coercion(_coerce_scalar).coerce(schema.view.root, properties, ())
    return coerced if isinstance(coerced, dict) else {}


def parse_texts(
    schema: ResourceSchema, model: Any, accepts: Callable[[PropertyPath, str], bool] = lambda _path, _text: True
) -> Any:
    """Return a copy of a model with texts made the booleans and numbers that the schema names, and nothing else.

    `accepts` is asked about each such text, with its property path, whether it is to be replaced.
    """

    def parse(schema: Subschema, value: Any, path: PropertyPath) -> Any:
        if not isinstance(value, str) or schema.target.value.get("type") == "string":  # nearly all
            return value
        types = _types(schema)
        parsed = value if "string" in types else _parse(types, value)
        return parsed if parsed is not value and accepts(path, value) else value

    return _Coercion(parse).coerce(schema.view.root, model, ())


class _Coercion:
    """`scalar` is given the schema of a scalar, the scalar, and its property path."""

    def __init__(self, scalar: Callable[[Subschema, Any, PropertyPath], Any]) -> None:
        self._scalar = scalar

    def coerce(self, schema: Subschema, value: Any, path: PropertyPath) -> Any:
        match value:
            case dict():
                return {
                    name: self.coerce(schema.child(name) or schema.child(ANY) or UNKNOWN, each, (*path, name))
                    for name, each in value.items()
                }
            case list():
                items = schema.child(ANY) or UNKNOWN
                return [self.coerce(items, each, (*path, ANY)) for each in value]
            case str() | bool() | int() | float():
                return self._scalar(schema, value, path)
            case _:
                return value


def _types(schema: Subschema) -> set[str]:
    """Return the types that a schema names; of an enumeration without a type those of its values."""
    node = schema.target
    if "type" in node.value and not node.combines:  # nearly all, and often asked
        return set(node.types)
    return set(_combined_types(node))


def _combined_types(schema: Subschema) -> Iterator[str]:
    for branch in schema.branches():
        yield from branch.types
        if not branch.types and isinstance(values := branch.get("enum"), list):
            yield from map(_kind, values)


def _coerce_scalar(schema: Subschema, value: Any, _path: PropertyPath) -> Any:
    wanted = _types(schema) & _SCALARS
    if not wanted or _kind(value) in wanted or (_kind(value) == "integer" and "number" in wanted):
        return value
    if isinstance(value, str):
        return _parse(wanted, value)
    return as_text(value) if "string" in wanted else value


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case None:
            return "null"
        case _:
            return "object"


def _parse(wanted: set[str], text: str) -> Any:
    if "boolean" in wanted and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if wanted & {"integer", "number"} and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in wanted and _NUMBER.fullmatch(text):
        return float(text)
    return text
