"""What an input must be valid against: the schema, with readOnly properties no longer required."""

import json
from collections.abc import Mapping
from typing import Any

from formwork.documents.refs import ReferenceError_, follow_ref
from formwork.schema.paths import PropertyPath

_COMBINERS = ("allOf", "anyOf", "oneOf")


def required_of_inputs(root: Mapping[str, Any], read_only: frozenset[PropertyPath]) -> Mapping[str, Any]:
    """The schema with readOnly properties no longer required: what an input must be valid against."""
    if not read_only:
        return root
    pruned: dict[str, Any] = json.loads(json.dumps(root))
    for path in read_only:
        _relax(pruned, pruned, path, 0)
    return pruned


def _relax(root: Mapping[str, Any], node: Any, path: PropertyPath, depth: int) -> None:
    try:
        node, _ = follow_ref(node, root)
    except ReferenceError_:
        return
    if not isinstance(node, dict) or depth > 30:
        return
    for keyword in _COMBINERS:
        for part in node.get(keyword) or () if isinstance(node.get(keyword), list) else ():
            _relax(root, part, path, depth + 1)
    name, rest = path[0], path[1:]
    if not rest:
        if isinstance(node.get("required"), list) and name in node["required"]:
            node["required"] = [each for each in node["required"] if each != name]
        return
    children = [node["items"]] if name == "*" and isinstance(node.get("items"), dict) else []
    if name == "*":
        children += (node.get("patternProperties") or {}).values()
    elif name in (node.get("properties") or {}):
        children.append(node["properties"][name])
    for child in children:
        _relax(root, child, rest, depth + 1)
