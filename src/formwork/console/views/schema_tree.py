"""The properties of a schema as a tree, with what users of a type ask: types, mutability, constraints, examples."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.schema.view import SchemaView, Subschema

_MOST = 3_000  # properties of one page
_CONSTRAINTS = (
    *("enum", "const", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"),
    *("exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "insertionOrder", "default"),
)
# Keywords of resource schemas that list properties, and what pages call such properties.
_TRAITS = {
    "primaryIdentifier": "identifier",
    "readOnlyProperties": "read-only",
    "writeOnlyProperties": "write-only",
    "createOnlyProperties": "create-only: replaced when it changes",
    "conditionalCreateOnlyProperties": "may be replaced when it changes",
    "deprecatedProperties": "deprecated",
    "nonPublicProperties": "not public",
}


class SchemaProperty(Struct):
    """A property, an item of a list, or a choice, and what is inside it."""

    name: str
    types: str
    required: bool
    traits: list[str]
    description: str
    constraints: list[tuple[str, str]]
    examples: list[str]
    inside: list["SchemaProperty"] = field(default_factory=list)
    repeats: bool = False  # it contains itself


class SchemaTree:
    """The tree of one schema document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._left = _MOST
        self._traits: dict[tuple[str, ...], list[str]] = {}
        for keyword, trait in _TRAITS.items():
            for pointer in _pointers(document.get(keyword)):
                self._traits.setdefault(pointer, []).append(trait)
        root = SchemaView(document).root
        self.properties = list(self._members(root, (), frozenset({root})))

    def _members(self, node: Subschema, path: tuple[str, ...], above: frozenset[Subschema]) -> Iterator[SchemaProperty]:
        for name, each in node.properties.items():
            yield self._property(name, each, (*path, name), above, required=name in node.required)
        if (items := node.items) is not None:
            yield self._property("each item", items, (*path, "*"), above, required=False)
        for pattern, each in node.pattern_properties.items():
            yield self._property(f"each member like {pattern}", each, (*path, "*"), above, required=False)
        for keyword, label in (("all_of", "and"), ("any_of", "any of"), ("one_of", "one of")):
            for each in getattr(node, keyword):
                shown = self._property(label, each, path, above, required=False)
                shown.traits = []
                yield shown

    def _property(
        self, name: str, written: Subschema, path: tuple[str, ...], above: frozenset[Subschema], *, required: bool
    ) -> SchemaProperty:
        node = written.target
        self._left -= 1
        shown = SchemaProperty(
            name=name,
            types=" or ".join(node.types) or "any",
            required=required,
            traits=self._traits.get(path, []),
            description=str(written.get("description") or node.get("description") or ""),
            constraints=[(each, _shown(node.get(each))) for each in _CONSTRAINTS if each in node],
            examples=[_shown(each) for each in _list(node.get("examples"))],
        )
        if node in above:
            shown.repeats = True
        elif self._left > 0:
            shown.inside = list(self._members(node, path, above | {node}))
        return shown


def _pointers(value: Any) -> Iterator[tuple[str, ...]]:
    for each in _list(value):
        if isinstance(each, str):
            yield tuple(step for step in each.removeprefix("/properties/").split("/") if step != "properties")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
