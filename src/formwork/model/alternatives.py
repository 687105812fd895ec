"""The alternatives of a schema: what its oneOf, anyOf and allOf add to it."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str, ...]
Node: TypeAlias = Mapping[str, Any]

COMBINERS = ("oneOf", "anyOf", "allOf")
# What says what a value is, rather than how it is limited.
TYPING = frozenset({"$ref", "type", "properties", "patternProperties", "items"})


class Part:
    """An object schema that gives properties to a shape; `certain` means that every value obeys it."""

    __slots__ = ("certain", "node", "path")

    def __init__(self, node: Node, path: Path, *, certain: bool = True) -> None:
        self.node = node
        self.path = path
        self.certain = certain


def alternatives(node: Node, path: Path) -> Iterator[Part]:
    """The alternatives of a schema, those of inline alternatives without properties included."""
    for keyword in COMBINERS:
        for index, each in enumerate(list_of(node.get(keyword))):
            if not isinstance(each, Mapping):
                continue
            part = Part(each, (*path, keyword, str(index)), certain=keyword == "allOf")
            yield part
            if "$ref" not in each and may_be_object(each):
                yield from alternatives(each, part.path)


def has_properties(node: Any) -> bool:
    """Whether `node` is a schema that names properties."""
    return isinstance(node, Mapping) and bool(mapping_of(node.get("properties")))


def may_be_anything(node: Node) -> bool:
    """Whether one alternative has a type and another, which may then be taken, has none."""
    for keyword in ("oneOf", "anyOf"):
        found = list_of(node.get(keyword))
        if len({_constrains_only(each) for each in found}) > 1:
            return True
        if any(may_be_anything(each) for each in found if isinstance(each, Mapping) and not each.keys() & TYPING):
            return True
    return False


def _constrains_only(node: Any) -> bool:
    if not isinstance(node, Mapping) or node.keys() & TYPING:
        return False
    return all(_constrains_only(each) for keyword in COMBINERS for each in list_of(node.get(keyword)))


def may_be_object(node: Node) -> bool:
    """Whether the schema's type is object, said or not."""
    return node.get("type", "object") in ("object", ["object"])


def mapping_of(value: Any) -> Mapping[str, Any]:
    """`value` where it is an object; {} for what a valid schema would not hold."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: Any) -> list[Any]:
    """`value` where it is an array; [] for what a valid schema would not hold."""
    return value if isinstance(value, list) else []
