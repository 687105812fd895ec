"""Schema nodes as the generator wants them: references followed, `allOf` merged, alternatives gathered.

A merged node is a plain dict of draft-07 keywords with four differences: `type` is a tuple of names, `patterns` a tuple
of all patterns that apply, `choices` a tuple of (keyword, alternatives) for every oneOf and anyOf, and there is no
a `$ref`, `allOf`, `oneOf`, `anyOf` or `pattern`.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

Node = dict[str, Any]
ANY_TYPES = ("string", "object", "array", "integer", "number", "boolean", "null")
_LARGER_WINS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_SMALLER_WINS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_DEEPEST_REFERENCE_CHAIN = 50

# Keyword → the types it speaks about, for nodes that name no type.
_HINTS: dict[str, tuple[str, ...]] = {
    "properties": ("object",),
    "patternProperties": ("object",),
    "required": ("object",),
    "minProperties": ("object",),
    "items": ("array",),
    "minItems": ("array",),
    "maxItems": ("array",),
    "uniqueItems": ("array",),
    "patterns": ("string",),
    "minLength": ("string",),
    "maxLength": ("string",),
    "format": ("string",),
    "minimum": ("number",),
    "maximum": ("number",),
    "multipleOf": ("number",),
}


def merge_node(node: Any, resolve: Callable[[str], Any]) -> Node | None:
    """Return the merged form of a schema node; None for a node that nothing satisfies (`false`, contradicting types).

    `resolve` gives the node that a `$ref` names, or True where it leads out of the document.
    """
    return _merge(node, resolve, 0)


def _merge(node: Any, resolve: Callable[[str], Any], depth: int) -> Node | None:
    if node is False or depth > _DEEPEST_REFERENCE_CHAIN:
        return None
    if not isinstance(node, Mapping):
        return {}
    merged: Node | None = _own(node)
    parts = list(node.get("allOf") or ()) if isinstance(node.get("allOf"), list) else []
    if isinstance(node.get("$ref"), str):
        # Draft-07 ignores what stands beside `$ref`; CloudFormation's own validator does too, but its schemas put
        # annotations there only, so that merging both is the stricter reading and never wrong.
        parts.append(resolve(node["$ref"]))
    for part in parts:
        other = _merge(part, resolve, depth + 1)
        merged = None if merged is None or other is None else intersect(merged, other)
    return merged


def _own(node: Mapping[str, Any]) -> Node:
    own: Node = {
        key: value for key, value in node.items() if key not in {"$ref", "allOf", "oneOf", "anyOf", "pattern", "type"}
    }
    declared = node.get("type")
    if isinstance(declared, str):
        own["type"] = (declared,)
    elif isinstance(declared, list) and declared:
        own["type"] = tuple(declared)
    if isinstance(node.get("pattern"), str):
        own["patterns"] = (node["pattern"],)
    choices = tuple((key, tuple(node[key])) for key in ("oneOf", "anyOf") if isinstance(node.get(key), list))
    if choices:
        own["choices"] = choices
    return own


def intersect(left: Node, right: Node) -> Node | None:
    """Return the node that both merged nodes allow; None where they contradict each other."""
    both: Node = {**left, **right}
    for key in left.keys() & right.keys():
        combined = _combine(key, left[key], right[key])
        if combined is None:
            return None
        both[key] = combined
    _close(both, left, right)
    return both


def _combine(key: str, one: Any, other: Any) -> Any:  # noqa: C901, PLR0911 - one return a kind of keyword
    if key == "type":
        return _common_types(one, other)
    if key == "enum":
        return [each for each in one if each in other] or None
    if key == "_without":
        return one | other
    if key in {"patterns", "choices"}:
        return (*one, *(each for each in other if each not in one))
    if key in _LARGER_WINS:
        return max(one, other)
    if key in _SMALLER_WINS:
        return min(one, other)
    if key == "required":
        return [*one, *(each for each in other if each not in one)]
    if key in {"properties", "patternProperties", "dependencies"}:
        return {
            name: _both(one[name], other[name]) if name in one and name in other else one.get(name, other.get(name))
            for name in (*one, *(name for name in other if name not in one))
        }
    if key in {"items", "contains", "additionalProperties", "propertyNames"}:
        return _both(one, other)
    if key in {"uniqueItems", "insertionOrder"}:
        return one or other
    return one


def _both(one: Any, other: Any) -> Any:
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *(each for each in other if each not in one)]
    return one if one == other else {"allOf": [one, other]} if one is not False and other is not False else False


def _common_types(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...] | None:
    common = [name for name in one if name in other]
    if ("integer" in one and "number" in other) or ("number" in one and "integer" in other):
        common.append("integer")
    return tuple(dict.fromkeys(common)) or None


def _close(both: Node, left: Node, right: Node) -> None:
    """Close an object: it then allows only the names that it declares itself."""
    for side in (left, right):
        if side.get("additionalProperties") is False and "patternProperties" not in side:
            allowed = side.get("properties") or {}
            both["properties"] = {name: sub for name, sub in (both.get("properties") or {}).items() if name in allowed}


@functools.lru_cache(maxsize=256)
def _null_last(types: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(types, key=lambda name: name == "null"))


def types_of(node: Node) -> tuple[str, ...]:
    """The types that a merged node allows, the likeliest first; inferred from its keywords where it names none."""
    if "type" in node:
        return _null_last(node["type"])
    for key, types in _HINTS.items():
        if key in node:
            return types
    return ANY_TYPES
