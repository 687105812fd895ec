"""The properties of a type as a tree."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.model import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    ObjectModel,
    Property,
    ScalarType,
    SetType,
    Type,
    TypeModel,
    UnionType,
    walk_type,
)
from formwork.type_pages.blocks import PropertyNode

_MAX_DEPTH = 8
_LIMITS = {
    "pattern": "Pattern",
    "format": "Format",
    "minLength": "Minimum length",
    "maxLength": "Maximum length",
    "minimum": "Minimum",
    "maximum": "Maximum",
    "exclusiveMinimum": "More than",
    "exclusiveMaximum": "Less than",
    "multipleOf": "Multiple of",
    "minItems": "Minimum items",
    "maxItems": "Maximum items",
    "default": "Default",
}


def property_nodes(types: TypeModel, model: ObjectModel, *, read_only: bool) -> tuple[PropertyNode, ...]:
    """Return what a template may set of a model, or with `read_only` all that the service sets.

    An object that contains itself is described where it is first found.
    """
    return tuple(_nodes(types, model, (), (model.name,), read_only=read_only))


def _nodes(
    types: TypeModel, model: ObjectModel, path: tuple[str, ...], above: tuple[str, ...], *, read_only: bool
) -> Iterator[PropertyNode]:
    ordered = sorted(model.properties, key=lambda each: not each.required)
    for each in ordered:
        if each.read_only and not read_only:
            continue
        here = (*path, each.name)
        children: list[PropertyNode] = []
        repeated = False
        for part in walk_type(each.type):
            if not isinstance(part, ModelType):
                continue
            if part.name in above or len(here) >= _MAX_DEPTH:
                repeated = True
                continue
            inner = types.expect_model(part.name)
            children += _nodes(types, inner, here, (*above, part.name), read_only=read_only)
        if isinstance(each.type, ModelType) and not (children or repeated) and _has_members(types, each.type.name):
            continue  # only the service sets members of the object
        facts = [*_facts(each), *([("Contains", "the same properties as above")] if repeated else [])]
        yield PropertyNode(
            each.name,
            ".".join(here),
            type_in_words(each.type),
            each.description,
            tuple(_marks(each)),
            tuple(facts),
            tuple(children),
        )


def _has_members(types: TypeModel, name: str) -> bool:
    return bool(types.expect_model(name).properties)


def _marks(of: Property) -> Iterator[str]:
    if of.required:
        yield "required"
    if of.read_only:
        yield "read-only"
    if of.create_only:
        yield "replacement"
    if of.conditional_create_only:
        yield "sometimes replacement"
    if of.write_only:
        yield "write-only"


def _facts(of: Property) -> Iterator[tuple[str, str]]:
    item = of.type.item if isinstance(of.type, ListType | SetType) else of.type
    values = item.values if isinstance(item, ScalarType) else ()
    if values:
        yield "Allowed values", ", ".join(map(shown_value, values))
    for keyword, label in _LIMITS.items():
        if keyword in of.schema and not (keyword == "default" and of.write_only):
            yield label, shown_value(of.schema[keyword])
    patterns = of.schema.get("patternProperties")
    if isinstance(patterns, Mapping) and patterns:
        yield "Keys", ", ".join(patterns)


def shown_value(value: Any) -> str:
    """Return a JSON value as a person reads it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def type_in_words(of: Type) -> str:
    """Return a type as a person reads it: `list of string`."""
    match of:
        case ScalarType(scalar):
            return scalar.value
        case ModelType():
            return "object"
        case ListType(item):
            return f"list of {type_in_words(item)}"
        case SetType(item):
            return f"set of {type_in_words(item)}"
        case MapType(value):
            return f"map of {type_in_words(value)}"
        case UnionType(alternatives):
            return " or ".join(dict.fromkeys(map(type_in_words, alternatives)))
        case AnyType():
            return "any value"
