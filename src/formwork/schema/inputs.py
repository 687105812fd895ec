"""What an input must be valid against: the schema, with readOnly properties no longer required."""

import json
from collections.abc import Mapping
from typing import Any

from formwork.schema.paths import ANY, PropertyPath
from formwork.schema.view import SchemaView, Subschema


def required_of_inputs(root: Mapping[str, Any], read_only: frozenset[PropertyPath]) -> Mapping[str, Any]:
    """Return the schema for inputs, in which readOnly properties are not required."""
    if not read_only:
        return root
    pruned: dict[str, Any] = json.loads(json.dumps(root))
    view = SchemaView(pruned)
    for path in read_only:
        _relax(view.root, path, 0)
    return pruned


def _relax(schema: Subschema, path: PropertyPath, depth: int) -> None:
    """Take the name that `path` ends with out of `required`, in every alternative."""
    node = schema.target
    if depth > 30:
        return
    for part in node.combined:
        _relax(part, path, depth + 1)
    name, rest = path[0], path[1:]
    if not rest:
        if isinstance(node.get("required"), list) and name in node.value["required"]:
            node.value["required"] = [each for each in node.value["required"] if each != name]
        return
    children = [node.items] if name == ANY and node.items is not None else []
    if name == ANY:
        children += node.pattern_properties.values()
    elif name in node.properties:
        children.append(node.properties[name])
    for child in children:
        _relax(child, rest, depth + 1)
