"""Adds the values of the configuration's `jsonAdd` at JSON pointers."""

from typing import Any

from formwork.convert.context import ConversionContext
from formwork.convert.errors import config_error


def add_configured(context: ConversionContext, schema: dict[str, Any]) -> None:
    """Set the values that `jsonAdd` gives for this resource; pointers without a parent in the schema are ignored."""
    for pointer, value in context.options.json_add.get(context.resource.id, {}).items():
        tokens = _tokens(pointer)
        if tokens:
            _add(schema, tokens, value)
        elif isinstance(value, dict):
            schema.clear()
            schema.update(value)


def _tokens(pointer: str) -> list[str]:
    text = pointer.removeprefix("#")
    if not text:
        return []
    if not text.startswith("/"):
        raise config_error(f"JSON pointer must start with '/': {pointer}")
    return [token.replace("~1", "/").replace("~0", "~") for token in text[1:].split("/")]


def _add(container: Any, tokens: list[str], value: Any) -> None:
    first, *rest = tokens
    match container:
        case dict():
            if not rest:
                container[first] = value
                return
            _add(container.setdefault(first, {}), rest, value)
        case list():
            _add_to_array(container, first, rest, value)
        case _:
            pass


def _add_to_array(container: list[Any], first: str, rest: list[str], value: Any) -> None:
    index = len(container) if first == "-" else int(first) if first.isdecimal() else -1
    if not rest and 0 <= index <= len(container):
        container.insert(index, value)
    elif rest and 0 <= index < len(container):
        _add(container[index], rest, value)
