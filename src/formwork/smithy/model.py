"""The model: shapes by id, metadata, and the queries that validators, selectors and converters use."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from msgspec import Struct, field

from formwork.smithy.nodes import Node
from formwork.smithy.places import SourcePlace
from formwork.smithy.shapes import MemberShape, OperationShape, ResourceShape, ServiceShape, Shape, ShapeType

S = TypeVar("S", bound=Shape)


class Model(Struct, frozen=True, eq=False, dict=True):
    """Root shapes by absolute id in the order they were loaded (the prelude first), and the merged metadata."""

    shapes: Mapping[str, Shape]
    metadata: Mapping[str, Node] = field(default_factory=dict)
    metadata_places: Mapping[str, SourcePlace] = field(default_factory=dict)

    def get(self, shape_id: str) -> Shape | None:
        """Return the shape or member of that id, or None."""
        root, dollar, member = shape_id.partition("$")
        shape = self.shapes.get(root)
        if shape is None or not dollar:
            return shape
        return shape.members.get(member)

    def expect(self, shape_id: str) -> Shape:
        """Return the shape or member of that id.

        Raises:
            KeyError: the model has none.
        """
        shape = self.get(shape_id)
        if shape is None:
            raise KeyError(shape_id)
        return shape

    def target(self, member: MemberShape) -> Shape | None:
        """Return the shape that a member targets, None where it isn't in the model."""
        return self.shapes.get(member.target)

    def of_class(self, kind: type[S]) -> Iterator[S]:
        """Root shapes of one class, in order."""
        return (shape for shape in self.shapes.values() if isinstance(shape, kind))

    @cached_property
    def services(self) -> tuple[ServiceShape, ...]:
        """Every service."""
        return tuple(self.of_class(ServiceShape))

    @cached_property
    def resources(self) -> tuple[ResourceShape, ...]:
        """Every resource."""
        return tuple(self.of_class(ResourceShape))

    @cached_property
    def operations(self) -> tuple[OperationShape, ...]:
        """Every operation."""
        return tuple(self.of_class(OperationShape))

    def everything(self) -> Iterator[Shape]:
        """Root shapes, each followed by its members."""
        for shape in self.shapes.values():
            yield shape
            yield from shape.members.values()

    @cached_property
    def trait_definitions(self) -> Mapping[str, Shape]:
        """The shapes that define traits."""
        return {id_: shape for id_, shape in self.shapes.items() if shape.has_trait("trait")}

    @cached_property
    def appliers(self) -> Mapping[str, tuple[Shape, ...]]:
        """Trait id → every shape and member it is applied to."""
        found: dict[str, list[Shape]] = {}
        for shape in self.everything():
            for trait in shape.traits:
                found.setdefault(trait, []).append(shape)
        return {trait: tuple(shapes) for trait, shapes in found.items()}

    def with_trait(self, name: str) -> tuple[Shape, ...]:
        """Return every shape and member with a trait, by bare prelude name or absolute id."""
        return self.appliers.get(name if "#" in name else f"smithy.api#{name}", ())

    def of_type(self, *types: ShapeType) -> Iterator[Shape]:
        """Root shapes of the given types, in order."""
        return (shape for shape in self.shapes.values() if shape.type in types)

    def with_shapes(self, shapes: Iterable[Shape]) -> "Model":
        """Return a model of other shapes and the same metadata."""
        return Model({shape.id: shape for shape in shapes}, self.metadata, self.metadata_places)
