"""The language-neutral types that code and documentation are generated from.

A `TypeModel` is a closed graph: a `ModelType` names an `ObjectModel` of the same `TypeModel`, and every other type
holds its parts. Names of models are unique; names of properties are those of the wire, mapped to identifiers by each
language.

The classes are values (equal by their parts, never changed) that write out what `@dataclass` would compute: making
thirteen dataclasses takes longer than all else that `cfn generate` does with them.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, ClassVar, Final, TypeAlias

from formwork.extensions import ExtensionKind


class _Value:
    """Equal to another of its class with equal parts; the parts are the slots."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    def _parts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Value) and type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self), self._parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"


class Scalar(StrEnum):
    """The JSON types of values that contain no other values."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"


class ScalarType(_Value):
    """A JSON scalar; `format` is the schema's keyword, None where absent.

    `values` are the strings or integers that an enum leaves, () where it may be any. They narrow what an author writes
    and never how a value is read: a type with other values is an equal one.
    """

    __slots__ = ("format", "scalar", "values")
    __match_args__ = ("scalar", "format")

    def __init__(
        self,
        scalar: Scalar,
        format: str | None = None,  # noqa: A002 - the keyword's name
        values: tuple[str | int, ...] = (),
    ) -> None:
        self.scalar: Final = scalar
        self.format: Final = format
        self.values: Final = values

    def _parts(self) -> tuple[Any, ...]:
        return self.scalar, self.format


class ModelType(_Value):
    """An object with named properties: the model called `name`."""

    __slots__ = ("name",)
    __match_args__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: Final = name


class ListType(_Value):
    """An array whose order or whose repetitions count."""

    __slots__ = ("item",)
    __match_args__ = ("item",)

    def __init__(self, item: "Type") -> None:
        self.item: Final = item


class SetType(_Value):
    """An array with uniqueItems true and insertionOrder false."""

    __slots__ = ("item",)
    __match_args__ = ("item",)

    def __init__(self, item: "Type") -> None:
        self.item: Final = item


class MapType(_Value):
    """An object with free keys."""

    __slots__ = ("value",)
    __match_args__ = ("value",)

    def __init__(self, value: "Type") -> None:
        self.value: Final = value


class UnionType(_Value):
    """One of several types; at least two, all different, none of them a union or `AnyType`."""

    __slots__ = ("alternatives",)
    __match_args__ = ("alternatives",)

    def __init__(self, alternatives: tuple["Type", ...]) -> None:
        self.alternatives: Final = alternatives


class AnyType(_Value):
    """Any JSON value: the schema says nothing, or nothing that a type could say."""

    __slots__ = ()


Type: TypeAlias = ScalarType | ModelType | ListType | SetType | MapType | UnionType | AnyType


class Property(_Value):
    """A property of a model.

    `schema` is its JSON schema with references followed, for those who document constraints. `flags` are those of
    `readOnly writeOnly createOnly conditionalCreateOnly` whose list in the schema has a path that leads here on any
    way through the model.
    """

    __slots__ = ("flags", "name", "required", "schema", "type")

    def __init__(
        self,
        name: str,
        type: Type,  # noqa: A002 - the concept's name
        schema: Mapping[str, object],
        *,
        required: bool = False,
        flags: frozenset[str] = frozenset(),
    ) -> None:
        self.name: Final = name
        self.type: Final = type
        self.schema: Final = schema
        self.required: Final = required
        self.flags: Final = flags

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


class ObjectModel(_Value):
    """An object of the schema.

    `path` is where the schema defines it, as pointer tokens. A closed model refuses properties that it doesn't name
    (additionalProperties is false); an open one keeps them.
    """

    __slots__ = ("closed", "description", "name", "path", "properties")

    def __init__(
        self,
        name: str,
        path: tuple[str, ...],
        properties: tuple[Property, ...],
        *,
        description: str = "",
        closed: bool = False,
    ) -> None:
        self.name: Final = name
        self.path: Final = path
        self.properties: Final = properties
        self.description: Final = description
        self.closed: Final = closed

    def get_property(self, name: str) -> Property | None:
        """Return the property with that name on the wire."""
        return next((each for each in self.properties if each.name == name), None)


class TypeModel(_Value):
    """All models of one extension: `root` first, then in the order in which the schema first refers to them.

    `type_configuration` is one of `models` too, None where the schema has no typeConfiguration. Identifiers are tuples
    of property paths without their "properties" segments.
    """

    __slots__ = (
        "additional_identifiers",
        "handlers",
        "kind",
        "models",
        "primary_identifier",
        "type_configuration",
        "type_name",
    )

    def __init__(  # noqa: PLR0913 - one a part
        self,
        kind: ExtensionKind,
        type_name: str,
        models: tuple[ObjectModel, ...],
        *,
        type_configuration: ObjectModel | None = None,
        handlers: tuple[str, ...] = (),
        primary_identifier: tuple[tuple[str, ...], ...] = (),
        additional_identifiers: tuple[tuple[tuple[str, ...], ...], ...] = (),
    ) -> None:
        self.kind: Final = kind
        self.type_name: Final = type_name
        self.models: Final = models
        self.type_configuration: Final = type_configuration
        self.handlers: Final = handlers
        self.primary_identifier: Final = primary_identifier
        self.additional_identifiers: Final = additional_identifiers

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
