"""`readOnlyProperties`, `writeOnlyProperties` and `createOnlyProperties`."""

from typing import Any

from formwork.convert.context import ConversionContext


def add_mutability(context: ConversionContext, schema: dict[str, Any]) -> None:
    """Lists of the properties that aren't fully mutable."""
    properties = context.derived()
    lists = {
        "readOnlyProperties": [name for name, each in properties.items() if each.is_read_only],
        "writeOnlyProperties": [name for name, each in properties.items() if each.is_write_only],
        "createOnlyProperties": [name for name, each in properties.items() if each.is_create_only],
    }
    for key, names in lists.items():
        if names:
            schema[key] = context.pointers(names)
