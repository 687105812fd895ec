"""How shapes are related: the graph that selectors walk."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from formwork.smithy.model import Model
from formwork.smithy.shape_ids import UNIT
from formwork.smithy.shapes import LIFECYCLES, MemberShape, OperationShape, ResourceShape, ServiceShape, Shape

TRAIT = "trait"
# The relations that only an explicit `-[…]->` follows.
_ON_REQUEST = frozenset((TRAIT, "bound", "idref"))
_INSTANCE = ("put", "read", "update", "delete")


class Relation(Struct, frozen=True):
    """`source` is related to the shape `target`; `name` "" is the way from a member to what it targets."""

    name: str
    source: Shape
    target: str


class Neighbors:
    """The relations of one model, forwards and backwards."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._forward: dict[str, tuple[Relation, ...]] = {}

    def relations(self, shape: Shape) -> tuple[Relation, ...]:
        """Return every relation that starts at a shape, those to missing shapes included, traits not."""
        found = self._forward.get(shape.id)
        if found is None:
            found = self._forward[shape.id] = tuple(_relations(shape))
        return found

    def forward(self, shape: Shape, names: Sequence[str] = ()) -> Iterator[Shape]:
        """Yield the shapes that a shape is related to, through any relation or through those of `names`."""
        for relation in self.relations(shape):
            if relation.name in names if names else relation.name not in _ON_REQUEST:
                target = self.model.get(relation.target)
                if target is not None:
                    yield target
        if TRAIT in names:
            yield from (each for trait in shape.traits if (each := self.model.get(trait)) is not None)

    def reverse(self, shape: Shape, names: Sequence[str] = ()) -> Iterator[Shape]:
        """Yield the shapes that are related to a shape."""
        if isinstance(shape, MemberShape) and not names:
            container = self.model.get(shape.container)
            if container is not None:
                yield container
            return
        for relation in self._backward.get(shape.id, ()):
            if relation.name in names if names else relation.name not in _ON_REQUEST:
                yield relation.source
        if TRAIT in names:
            yield from self.model.appliers.get(shape.id, ())

    def incoming(self, shape_id: str) -> Sequence[Relation]:
        """Return every relation that ends at a shape."""
        return self._backward.get(shape_id, ())

    @cached_property
    def _backward(self) -> Mapping[str, list[Relation]]:
        found: dict[str, list[Relation]] = defaultdict(list)
        for shape in self.model.everything():
            for relation in self.relations(shape):
                found[relation.target].append(relation)
        return found


def _relations(shape: Shape) -> Iterator[Relation]:
    for member in shape.members.values():
        yield Relation("member", shape, member.id)
    match shape:
        case MemberShape():
            # The members of enums target the unit type only because a member must target something.
            if shape.target != UNIT or "smithy.api#enumValue" not in shape.traits:
                yield Relation("", shape, shape.target)
            return
        case OperationShape():
            yield from _operation_relations(shape)
        case ResourceShape():
            yield from _resource_relations(shape)
        case ServiceShape():
            yield from _service_relations(shape)
        case _:
            pass
    for mixin in shape.mixins:
        yield Relation("mixin", shape, mixin)


def _operation_relations(shape: OperationShape) -> Iterator[Relation]:
    for name, target in (("input", shape.input), ("output", shape.output)):
        if target != UNIT:
            yield Relation(name, shape, target)
    for error in shape.errors:
        yield Relation("error", shape, error)


def _service_relations(shape: ServiceShape) -> Iterator[Relation]:
    for name, ids in (("operation", shape.operations), ("resource", shape.resources), ("error", shape.errors)):
        for shape_id in ids:
            yield Relation(name, shape, shape_id)


def _resource_relations(shape: ResourceShape) -> Iterator[Relation]:
    for target in shape.identifiers.values():
        yield Relation("identifier", shape, target)
    for target in shape.properties.values():
        yield Relation("property", shape, target)
    for child in shape.resources:
        yield Relation("resource", shape, child)
    for name in LIFECYCLES:
        if name not in shape.lifecycle:
            continue
        yield Relation(name, shape, shape.lifecycle[name])
        if name in _INSTANCE:
            yield Relation("instanceOperation", shape, shape.lifecycle[name])
    for operation in shape.operations:
        yield Relation("operation", shape, operation)
        yield Relation("instanceOperation", shape, operation)
    for operation in shape.collection_operations:
        yield Relation("collectionOperation", shape, operation)
