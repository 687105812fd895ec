"""`additionalProperties: false` on every object in `definitions`."""

from typing import Any

from formwork.convert.context import ConversionContext


def close_definitions(_context: ConversionContext, schema: dict[str, Any]) -> None:
    """CloudFormation refuses properties that a schema doesn't know, so no object may be open."""
    for definition in schema.get("definitions", {}).values():
        if "type" not in definition and "oneOf" in definition:
            for alternative in definition["oneOf"]:
                _close(alternative)
        else:
            _close(definition)


def _close(schema: dict[str, Any]) -> None:
    if schema.get("type") == "object":
        schema["additionalProperties"] = False
