"""Texts of types for the documentation: in a sentence, in JSON, and in YAML."""

from collections.abc import Mapping
from typing import assert_never

from formwork.generate.docs.escape import html_text
from formwork.model import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    Scalar,
    ScalarType,
    SetType,
    Type,
    UnionType,
)

_SCALARS = {Scalar.STRING: "String", Scalar.INTEGER: "Integer", Scalar.NUMBER: "Double", Scalar.BOOLEAN: "Boolean"}

# Model → the page that describes it.
Pages = Mapping[str, str]


def in_words(of: Type, pages: Pages) -> str:
    """Return a type as words: `List of [Tag](tag.md)`."""
    match of:
        case ListType(item) | SetType(item):
            return f"List of {in_words(item, pages)}"
        case MapType(value):
            return "Map" if isinstance(value, AnyType) else f"Map of {in_words(value, pages)}"
        case ModelType(name):
            return f"[{name}]({pages[name]})"
        case UnionType(alternatives):
            return ", ".join(in_words(each, pages) for each in alternatives)
        case _:
            return _name(of)


def in_json(of: Type, pages: Pages) -> str:
    """Return a type as HTML for a preformatted block: `[ <a href="tag.md">Tag</a>, ... ]`."""
    match of:
        case ListType(item) | SetType(item):
            return f"[ {in_json(item, pages)}, ... ]"
        case MapType(value):
            return f"{{ Key : {in_json(value, pages)}, ... }}"
        case ModelType(name):
            return f'<a href="{html_text(pages[name])}">{html_text(name)}</a>'
        case UnionType(alternatives):
            return " | ".join(in_json(each, pages) for each in alternatives)
        case _:
            return _name(of)


def in_yaml(of: Type, pages: Pages, indent: str) -> str:
    """Return a type in YAML as HTML for a preformatted block: all that follows `Name:` (space or line break first)."""
    match of:
        case ListType(item) | SetType(item):
            return f"\n{indent}  - {in_json(item, pages)}"
        case MapType(value):
            return f"\n{indent}  Key: {in_json(value, pages)}"
        case ModelType() | UnionType() | ScalarType() | AnyType():
            return f" {in_json(of, pages)}"
        case _:
            assert_never(of)


def _name(of: Type) -> str:
    return _SCALARS[of.scalar] if isinstance(of, ScalarType) else "Json"
