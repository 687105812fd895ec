"""What a property schema says about types, and whether a value keeps to the plain keywords of one."""

from typing import Any

from formwork.schema.findings import show_value

_NUMBERS = frozenset({"integer", "number"})
_ONE = {name: frozenset({name}) for name in ("string", "array", "object", "integer", "number", "boolean", "null")}
_STRING, _ARRAY, _OBJECT = (_ONE[name] for name in ("string", "array", "object"))
# Keyword → the types that it constrains.
KEYWORD_TYPES: dict[str, frozenset[str]] = {
    "minimum": _NUMBERS,
    "maximum": _NUMBERS,
    "exclusiveMinimum": _NUMBERS,
    "exclusiveMaximum": _NUMBERS,
    "multipleOf": _NUMBERS,
    "minLength": _STRING,
    "maxLength": _STRING,
    "pattern": _STRING,
    "minItems": _ARRAY,
    "maxItems": _ARRAY,
    "uniqueItems": _ARRAY,
    "insertionOrder": _ARRAY,
    "items": _ARRAY,
    "contains": _ARRAY,
    "minProperties": _OBJECT,
    "maxProperties": _OBJECT,
    "additionalProperties": _OBJECT,
    "patternProperties": _OBJECT,
}


def types_of(node: dict[str, Any]) -> frozenset[str]:
    """Return the types that `type` names; empty where it is absent."""
    found = node.get("type")
    if isinstance(found, str):
        return _ONE.get(found) or frozenset({found})
    return frozenset(each for each in found if isinstance(each, str)) if isinstance(found, list) else frozenset()


def type_of_value(value: Any) -> str:
    """Return the JSON type of `value`; a whole float counts as an integer."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def allows(node: dict[str, Any], value: Any) -> str | None:
    """Return what the type, enum, const and bounds of `node` require, if they refuse `value`; None if they allow it."""
    types, kind = types_of(node), type_of_value(value)
    if types and kind not in types and not (kind == "integer" and "number" in types):
        return f"a value of type {' or '.join(sorted(types))}"
    if "enum" in node and value not in node["enum"]:
        return f"one of {', '.join(show_value(each) for each in node['enum'][:8])}"
    if "const" in node and value != node["const"]:
        return show_value(node["const"])
    if kind in _NUMBERS:
        return _out_of(node, value, "minimum", "maximum", "")
    if kind == "string":
        return _out_of(node, len(value), "minLength", "maxLength", " characters")
    return _out_of(node, len(value), "minItems", "maxItems", " items") if kind == "array" else None


def _out_of(node: dict[str, Any], size: float, low: str, high: str, unit: str) -> str | None:
    if low in node and size < node[low]:
        return f"at least {node[low]}{unit}"
    if high in node and size > node[high]:
        return f"at most {node[high]}{unit}"
    return None
