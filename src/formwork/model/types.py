"""The language-neutral types that code and documentation are generated from.

A `TypeModel` is a closed graph: a `ModelType` names an `ObjectModel` of the same `TypeModel`, and every other type
holds its parts. Names of models are unique; names of properties are those of the wire, mapped to identifiers by each
language.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from formwork.extensions import ExtensionKind


class Scalar(StrEnum):
    """The JSON types of values that contain no other values."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"


class ScalarType(Struct, frozen=True, eq=False):
    """A JSON scalar; `format` is the schema's keyword, None where absent.

    `values` are the strings or integers that an enum leaves, () where it may be any. They narrow what an author writes
    and never how a value is read: a type with other values is an equal one.
    """

    scalar: Scalar
    format: str | None = None
    values: tuple[str | int, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScalarType) and (self.scalar, self.format) == (other.scalar, other.format)

    def __hash__(self) -> int:
        return hash((self.scalar, self.format))


class ModelType(Struct, frozen=True):
    """An object with named properties: the model called `name`."""

    name: str


class ListType(Struct, frozen=True):
    """An array whose order or whose repetitions count."""

    item: "Type"


class SetType(Struct, frozen=True):
    """An array with uniqueItems true and insertionOrder false."""

    item: "Type"


class MapType(Struct, frozen=True):
    """An object with free keys."""

    value: "Type"


class UnionType(Struct, frozen=True):
    """One of several types; at least two, all different, none of them a union or `AnyType`."""

    alternatives: tuple["Type", ...]


class AnyType(Struct, frozen=True):
    """Any JSON value: the schema says nothing, or nothing that a type could say."""


Type: TypeAlias = ScalarType | ModelType | ListType | SetType | MapType | UnionType | AnyType


class Property(Struct, frozen=True):
    """A property of a model.

    `schema` is its JSON schema with references followed, for those who document constraints. `flags` are those of
    `readOnly writeOnly createOnly conditionalCreateOnly` whose list in the schema has a path that leads here on any
    way through the model.
    """

    name: str
    type: Type
    schema: Mapping[str, object]
    required: bool = False
    flags: frozenset[str] = frozenset()

    @property
    def read_only(self) -> bool:
        """Whether only the service sets it."""
        return "readOnly" in self.flags

    @property
    def write_only(self) -> bool:
        """Whether it is never given out."""
        return "writeOnly" in self.flags

    @property
    def create_only(self) -> bool:
        """Whether a change needs another resource."""
        return "createOnly" in self.flags

    @property
    def conditional_create_only(self) -> bool:
        """Whether some changes need another resource."""
        return "conditionalCreateOnly" in self.flags

    @property
    def description(self) -> str:
        """The schema's description, "" where it has none."""
        text = self.schema.get("description")
        return text if isinstance(text, str) else ""


class ObjectModel(Struct, frozen=True):
    """An object of the schema.

    `path` is where the schema defines it, as pointer tokens. A closed model refuses properties that it doesn't name
    (additionalProperties is false); an open one keeps them.
    """

    name: str
    path: tuple[str, ...]
    properties: tuple[Property, ...]
    description: str = ""
    closed: bool = False

    def get_property(self, name: str) -> Property | None:
        """Return the property with that name on the wire."""
        return next((each for each in self.properties if each.name == name), None)


class TypeModel(Struct, frozen=True):
    """All models of one extension: `root` first, then in the order in which the schema first refers to them.

    `type_configuration` is one of `models` too, None where the schema has no typeConfiguration. Identifiers are tuples
    of property paths without their "properties" segments.
    """

    kind: ExtensionKind
    type_name: str
    models: tuple[ObjectModel, ...]
    type_configuration: ObjectModel | None = None
    handlers: tuple[str, ...] = ()
    primary_identifier: tuple[tuple[str, ...], ...] = ()
    additional_identifiers: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @property
    def root(self) -> ObjectModel:
        """The extension's own properties; a hook has none."""
        return self.models[0]

    def expect_model(self, name: str) -> ObjectModel:
        """Return the model called `name`; KeyError where there is none."""
        for each in self.models:
            if each.name == name:
                return each
        raise KeyError(name)


def walk_type(of: Type) -> Iterator[Type]:
    """`of` and every type it holds, outermost first; models are not entered."""
    yield of
    match of:
        case ListType(inner) | SetType(inner) | MapType(inner):
            yield from walk_type(inner)
        case UnionType(alternatives):
            for each in alternatives:
                yield from walk_type(each)
        case _:
            return


def merge_values(one: Type, other: Type) -> Type:
    """Return a type equal to both, whose scalars have the values of both; any, where one of them has any."""
    match one, other:
        case ScalarType(), ScalarType():
            both = (*one.values, *other.values) if one.values and other.values else ()
            return ScalarType(one.scalar, one.format, tuple(dict.fromkeys(both)))
        case ListType(), ListType():
            return ListType(merge_values(one.item, other.item))
        case SetType(), SetType():
            return SetType(merge_values(one.item, other.item))
        case MapType(), MapType():
            return MapType(merge_values(one.value, other.value))
        case UnionType(), UnionType():
            return UnionType(tuple(map(merge_values, one.alternatives, other.alternatives)))
        case _:
            return one
