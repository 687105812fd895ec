"""Shapes as values: what a loaded model is made of."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from formwork.smithy.nodes import Node
from formwork.smithy.places import NOWHERE, SourcePlace
from formwork.smithy.shape_ids import UNIT


class ShapeType(StrEnum):
    """Every type of shape, by its keyword."""

    BLOB = "blob"
    BOOLEAN = "boolean"
    STRING = "string"
    ENUM = "enum"
    BYTE = "byte"
    SHORT = "short"
    INTEGER = "integer"
    INT_ENUM = "intEnum"
    LONG = "long"
    FLOAT = "float"
    DOUBLE = "double"
    BIG_INTEGER = "bigInteger"
    BIG_DECIMAL = "bigDecimal"
    TIMESTAMP = "timestamp"
    DOCUMENT = "document"
    LIST = "list"
    SET = "set"
    MAP = "map"
    STRUCTURE = "structure"
    UNION = "union"
    SERVICE = "service"
    OPERATION = "operation"
    RESOURCE = "resource"
    MEMBER = "member"


NUMBER_TYPES = frozenset(
    (
        ShapeType.BYTE,
        ShapeType.SHORT,
        ShapeType.INTEGER,
        ShapeType.INT_ENUM,
        ShapeType.LONG,
        ShapeType.FLOAT,
        ShapeType.DOUBLE,
        ShapeType.BIG_INTEGER,
        ShapeType.BIG_DECIMAL,
    )
)
SIMPLE_TYPES = NUMBER_TYPES | {
    ShapeType.BLOB,
    ShapeType.BOOLEAN,
    ShapeType.STRING,
    ShapeType.ENUM,
    ShapeType.TIMESTAMP,
    ShapeType.DOCUMENT,
}
SERVICE_TYPES = frozenset((ShapeType.SERVICE, ShapeType.OPERATION, ShapeType.RESOURCE))
AGGREGATE_TYPES = frozenset((ShapeType.LIST, ShapeType.SET, ShapeType.MAP, ShapeType.STRUCTURE, ShapeType.UNION))


class Shape(Struct, frozen=True, kw_only=True, eq=False):
    """A shape of any type.

    `traits` are all that hold, by absolute trait id; `own_traits` those that no mixin brought. `members` include those
    that mixins brought, in order. `mixins` are the ids this shape was mixed from directly.
    """

    id: str
    type: ShapeType
    place: SourcePlace = NOWHERE
    traits: Mapping[str, Node] = field(default_factory=dict)
    trait_places: Mapping[str, SourcePlace] = field(default_factory=dict)
    own_traits: Mapping[str, Node] = field(default_factory=dict)
    members: "Mapping[str, MemberShape]" = field(default_factory=dict)
    mixins: tuple[str, ...] = ()

    @property
    def namespace(self) -> str:
        """The part of the id before "#"."""
        return self.id.partition("#")[0]

    @property
    def name(self) -> str:
        """The part of the id after "#", a member's container included."""
        return self.id.partition("#")[2].partition("$")[0]

    def trait(self, name: str) -> Node:
        """Return the value of a trait, given by its id or a prelude trait's bare name; None where it isn't applied."""
        return self.traits.get(name if "#" in name else f"smithy.api#{name}")

    def has_trait(self, name: str) -> bool:
        """Return whether a trait (bare prelude name or absolute id) is applied; tells null values from absent ones."""
        return (name if "#" in name else f"smithy.api#{name}") in self.traits

    def trait_place(self, trait_id: str) -> SourcePlace:
        """Return where the trait's value stands, else where the shape does."""
        return self.trait_places.get(trait_id, self.place)


class MemberShape(Shape, frozen=True, kw_only=True, eq=False):
    """A member: `container` is the id of its shape; `mixins` the members it was mixed from, () for one's own."""

    target: str
    container: str
    member_name: str


class OperationShape(Shape, frozen=True, kw_only=True, eq=False):
    """An operation; input and output are `smithy.api#Unit` where not modelled."""

    input: str = UNIT
    output: str = UNIT
    errors: tuple[str, ...] = ()
    own_errors: tuple[str, ...] = ()


LIFECYCLES = ("put", "create", "read", "update", "delete", "list")


class ResourceShape(Shape, frozen=True, kw_only=True, eq=False):
    """A resource; `lifecycle` maps put, create, read, update, delete and list to operation ids."""

    identifiers: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    lifecycle: Mapping[str, str] = field(default_factory=dict)
    operations: tuple[str, ...] = ()
    collection_operations: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()

    @property
    def all_operations(self) -> tuple[str, ...]:
        """Every bound operation: the lifecycle's, then instance and collection operations."""
        return (*self.lifecycle.values(), *self.operations, *self.collection_operations)


class ServiceShape(Shape, frozen=True, kw_only=True, eq=False):
    """A service; `own` holds what the definition itself says, without what mixins brought."""

    version: str = ""
    operations: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, Node] = field(default_factory=dict)
