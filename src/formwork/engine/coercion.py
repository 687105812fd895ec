"""Template values to the types of a schema, as the service hands them to handlers.

In a template every scalar may be written as a text (`"5"`, `"true"`), and parameters always are.
"""

import json
from collections.abc import Iterator
from typing import Any

from formwork.schema import ResourceSchema
from formwork.schema.paths import SchemaTree
from formwork.template.evaluation import as_text

_SCALARS = {"string", "integer", "number", "boolean"}


def coerce_properties(schema: ResourceSchema, properties: Any) -> dict[str, Any]:
    """A copy of evaluated properties in the types that the schema names; what fits none of them stays as it is."""
    coerced = _coerce(schema.tree, schema.value, properties)
    return coerced if isinstance(coerced, dict) else {}


def _coerce(tree: SchemaTree, node: Any, value: Any) -> Any:
    match value:
        case dict():
            types = set(_types(tree, node))
            if types and "object" not in types and "string" in types:
                return json.dumps(value)  # a policy document in a property that takes a text
            return {
                name: _coerce(tree, tree.child(node, name) or tree.child(node, "*"), each)
                for name, each in value.items()
            }
        case list():
            return [_coerce(tree, tree.child(node, "*"), each) for each in value]
        case str() | bool() | int() | float():
            return _coerce_scalar(set(_types(tree, node)), value)
        case _:
            return value


def _types(tree: SchemaTree, node: Any) -> Iterator[str]:
    if node is None:
        return
    for each in tree.branches(node):
        named = each.get("type")
        yield from named if isinstance(named, list) else [named] if isinstance(named, str) else []


def _coerce_scalar(types: set[str], value: Any) -> Any:
    wanted = types & _SCALARS
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
        case _:
            return "string"


def _parse(wanted: set[str], text: str) -> Any:
    if "boolean" in wanted and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if "integer" in wanted:
        try:
            return int(text)
        except ValueError:
            pass
    if "number" in wanted:
        try:
            return float(text)
        except ValueError:
            pass
    return text
