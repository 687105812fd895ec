"""Where in an instance an error of jsonschema-rs stands."""

import re
from collections.abc import Mapping
from typing import Any

# What jsonschema-rs takes for an index, in the name of a member too.
_NUMBER = re.compile(r"\+?0*([0-9]+)", re.ASCII)


def instance_path(error: Any, instance: Any) -> tuple[str | int, ...]:
    """Return the path of `error` in `instance`: names in objects, numbers in arrays.

    jsonschema-rs gives every step that reads as a number as one: 0 for the members "0", "00" and "+0", too. Of several
    such members the one written as the number is meant, else the first.
    """
    path: list[str | int] = []
    for step in error.instance_path:
        named = _member(instance, step) if isinstance(instance, Mapping) else step
        path.append(named)
        instance = _child(instance, named)
    return tuple(path)


def _member(instance: Mapping[str, Any], step: str | int) -> str:
    text = str(step)
    if isinstance(step, str) or text in instance:
        return text
    return next((name for name in instance if (read := _NUMBER.fullmatch(name)) and read[1] == text), text)


def _child(instance: Any, step: str | int) -> Any:
    if isinstance(instance, Mapping):
        return instance.get(str(step))
    return instance[step] if isinstance(instance, list) and isinstance(step, int) and step < len(instance) else None
