"""Extension schemas as jsonschema-rs validators.

A real schema's patterns are Java's: jsonschema-rs would refuse or misread them, so they are moved to a keyword of our
own that the `regex` package runs, translated and with a time limit.
"""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs

_KEEP = ("definitions", "properties", "patternProperties", "additionalProperties", "type", "$ref", "remote")
_MAPS = frozenset({"properties", "patternProperties", "definitions"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf"})
_NODES = frozenset({"items", "contains", "additionalProperties", "not", "propertyNames", "if", "then", "else"})
_COMBINERS = frozenset(
    {"required", "dependencies", "propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
)
_DROPPED = frozenset({"default", "examples", "description", "title", "$comment", "$id", "$schema", "format"})
_SELF = "resource-schema.json#"


def compile_validator(schema: Mapping[str, Any], *, shape_only: bool = False) -> Any:
    """A jsonschema-rs draft-07 validator of models under `schema`."""
    top = {key: schema[key] for key in ("properties", "definitions", "required", *_LISTS, "remote") if key in schema}
    prepared = _prepare({**top, "type": "object", "additionalProperties": False}, shape_only=shape_only)
    return jsonschema_rs.Draft7Validator(prepared, offline=True)


def _prepare(node: Any, *, shape_only: bool) -> Any:
    if not isinstance(node, dict):
        return node
    prepared: dict[str, Any] = {}
    for key, value in node.items():
        if key in _DROPPED or (shape_only and key in _COMBINERS):
            continue
        if key in _MAPS and isinstance(value, dict):
            prepared[key] = {name: _prepare(each, shape_only=shape_only) for name, each in value.items()}
        elif key in _LISTS and isinstance(value, list):
            prepared[key] = [_prepare(each, shape_only=shape_only) for each in value]
        elif key in _NODES:
            prepared[key] = _prepare(value, shape_only=shape_only)
        elif key == "$ref" and isinstance(value, str) and value.startswith(_SELF):
            prepared[key] = value.removeprefix(_SELF.removesuffix("#"))
        elif key != "pattern":
            prepared[key] = value
    return prepared
