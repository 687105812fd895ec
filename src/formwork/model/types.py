"""The language-neutral types that code and documentation are generated from.

A `TypeModel` is a closed graph: a `ModelType` names a `Model` of the same `TypeModel`, and every other type holds its
parts. Names of models are unique; names of properties are those of the wire, mapped to identifiers by each language.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Scalar(StrEnum):
    """The JSON types that hold no other value."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A JSON scalar; `format` is the schema's keyword, None where absent."""

    scalar: Scalar
    format: str | None = None


@dataclass(frozen=True, slots=True)
class ModelType:
    """An object with named properties: the model called `name`."""

    name: str


@dataclass(frozen=True, slots=True)
class ListType:
    """An array whose order or whose repetitions count."""

    item: "Type"


@dataclass(frozen=True, slots=True)
class SetType:
    """An array with uniqueItems true and insertionOrder false."""

    item: "Type"


@dataclass(frozen=True, slots=True)
class MapType:
    """An object with free keys."""

    value: "Type"


@dataclass(frozen=True, slots=True)
class UnionType:
    """One of several types; at least two, all different, none of them a union or `AnyType`."""

    alternatives: tuple["Type", ...]


@dataclass(frozen=True, slots=True)
class AnyType:
    """Any JSON value: the schema says nothing, or nothing that a type could say."""


Type: TypeAlias = ScalarType | ModelType | ListType | SetType | MapType | UnionType | AnyType


class Kind(StrEnum):
    """What the schema describes."""

    RESOURCE = "RESOURCE"
    HOOK = "HOOK"


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a model.

    `schema` is its JSON schema with references followed, for those who document constraints. A flag is True where a
    path of the schema's lists (readOnlyProperties and so on) leads here on any way through the model.
    """

    name: str
    type: Type
    schema: Mapping[str, object]
    required: bool = False
    read_only: bool = False
    write_only: bool = False
    create_only: bool = False
    conditional_create_only: bool = False

    @property
    def description(self) -> str:
        """The schema's description, "" where it has none."""
        text = self.schema.get("description")
        return text if isinstance(text, str) else ""


@dataclass(frozen=True, slots=True)
class Model:
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
        """The property with that name on the wire."""
        return next((each for each in self.properties if each.name == name), None)


@dataclass(frozen=True, slots=True)
class TypeModel:
    """All models of one extension: `root` first, then in the order in which the schema first refers to them.

    `type_configuration` is one of `models` too, None where the schema has no typeConfiguration. Identifiers are tuples
    of property paths without their "properties" segments.
    """

    kind: Kind
    type_name: str
    root: Model
    models: tuple[Model, ...]
    type_configuration: Model | None = None
    handlers: tuple[str, ...] = ()
    primary_identifier: tuple[tuple[str, ...], ...] = ()
    additional_identifiers: tuple[tuple[tuple[str, ...], ...], ...] = ()

    def expect_model(self, name: str) -> Model:
        """The model called `name`; KeyError where there is none."""
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
