"""The parts of a parsed selector; each takes a shape and gives the shapes it leads to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field

from formwork.smithy.selectors.compare import compare
from formwork.smithy.selectors.neighbors import Neighbors
from formwork.smithy.selectors.values import (
    ENUM_TRAIT,
    MISSING,
    attribute,
    each_of,
    is_present,
    step_into,
    trait_value,
)
from formwork.smithy.shapes import NUMBER_TYPES, SIMPLE_TYPES, Shape, ShapeType

_MATCHING_TYPES: Mapping[str, frozenset[ShapeType]] = {
    **{str(each): frozenset((each,)) for each in ShapeType},
    "string": frozenset((ShapeType.STRING, ShapeType.ENUM)),
    "integer": frozenset((ShapeType.INTEGER, ShapeType.INT_ENUM)),
    "list": frozenset((ShapeType.LIST, ShapeType.SET)),
    "collection": frozenset((ShapeType.LIST, ShapeType.SET)),
    "number": NUMBER_TYPES,
    "dataType": SIMPLE_TYPES | {ShapeType.LIST, ShapeType.SET, ShapeType.MAP, ShapeType.STRUCTURE, ShapeType.UNION},
    "simpleType": SIMPLE_TYPES,
}


class SelectorContext(Struct):
    """The shared state of a running selector: the graph, and the variables of the shape it started at."""

    neighbors: Neighbors
    variables: dict[str, dict[str, Shape]] = field(default_factory=dict)
    # What :in and :root select whatever the shape, found once.
    roots: dict[int, dict[str, Shape]] = field(default_factory=dict)


class SelectorPart(Protocol):
    """One part of a selector."""

    @property
    def filters(self) -> bool:
        """Whether the part gives nothing but the shape that it takes."""

    def run(self, environment: SelectorContext, shape: Shape) -> Iterator[Shape]:
        """Return the shapes that `shape` leads to."""


class Chain(Struct, frozen=True):
    """Parts one after the other."""

    parts: tuple[SelectorPart, ...]

    @property
    def filters(self) -> bool:
        """Whether every part does."""
        return all(part.filters for part in self.parts)

    def run(self, environment: SelectorContext, shape: Shape, start: int = 0) -> Iterator[Shape]:
        """Yield the shapes that all parts lead to."""
        if start == len(self.parts):
            yield shape
            return
        for found in self.parts[start].run(environment, shape):
            yield from self.run(environment, found, start + 1)

    def leads_anywhere(self, environment: SelectorContext, shape: Shape) -> bool:
        """Return whether there is at least one such shape."""
        return next(self.run(environment, shape), None) is not None


class Test(Struct, frozen=True):
    """A condition on the shape itself."""

    check: Callable[[SelectorContext, Shape], bool]
    filters: bool = True
    types: frozenset[ShapeType] | None = None
    trait: str | None = None

    def run(self, environment: SelectorContext, shape: Shape) -> Iterator[Shape]:
        """Yield the shape, if it passes."""
        if self.check(environment, shape):
            yield shape


class RelationStep(Struct, frozen=True):
    """A step to other shapes; `back` is the same step the other way round, where there is one."""

    step: Callable[[SelectorContext, Shape], Iterator[Shape]]
    back: Callable[[SelectorContext, Shape], Iterator[Shape]] | None = None
    filters: bool = False

    def run(self, environment: SelectorContext, shape: Shape) -> Iterator[Shape]:
        """Yield each shape that is there, once."""
        seen: set[str] = set()
        for found in self.step(environment, shape):
            if found.id not in seen:
                seen.add(found.id)
                yield found


def of_type(name: str) -> Test | None:
    """Return the part for a shape type or category, None where there is no such type."""
    if name == "*":
        return Test(lambda _environment, _shape: True)
    types = _MATCHING_TYPES.get(name)
    return None if types is None else Test(lambda _environment, shape: shape.type in types, types=types)


def forward(names: Sequence[str] = ()) -> RelationStep:
    """Return the step of `>` or `-[names]->`: to the shapes that a shape refers to."""
    return RelationStep(
        lambda environment, shape: environment.neighbors.forward(shape, names),
        lambda environment, shape: environment.neighbors.reverse(shape, names),
    )


def reverse(names: Sequence[str] = ()) -> RelationStep:
    """`<` and `<-[names]-`."""
    return RelationStep(
        lambda environment, shape: environment.neighbors.reverse(shape, names),
        lambda environment, shape: environment.neighbors.forward(shape, names),
    )


def recursive() -> RelationStep:
    """`~>`: everything that can be reached."""

    def step(environment: SelectorContext, shape: Shape) -> Iterator[Shape]:
        seen, todo = {shape.id}, [shape]
        while todo:
            for found in environment.neighbors.forward(todo.pop()):
                if found.id not in seen:
                    seen.add(found.id)
                    todo.append(found)
                    yield found

    return RelationStep(step)


def has_attribute(path: tuple[str, ...]) -> Test:
    """`[path]`."""
    trait = None
    if len(path) == 2 and path[0] == "trait" and "(" not in path[1]:  # `[trait|name]`, the most common part of all
        trait = path[1] if "#" in path[1] else f"smithy.api#{path[1]}"
        if trait == ENUM_TRAIT:
            return Test(lambda _environment, shape: trait_value(shape, ENUM_TRAIT) is not MISSING)
        wanted = trait
        return Test(lambda _environment, shape: wanted in shape.traits, trait=trait)
    return Test(lambda environment, shape: is_present(attribute(shape, environment.variables, path)))


def compares(path: tuple[str, ...], comparator: str, values: tuple[str, ...], *, any_case: bool) -> Test:
    """`[path = values i]`."""

    def check(environment: SelectorContext, shape: Shape) -> bool:
        left = attribute(shape, environment.variables, path)
        return any(compare(comparator, left, value, any_case=any_case) for value in values)

    return Test(check)


class ShapeScope(Struct, frozen=True):
    """The shape itself as the scope of comparisons: `[@: …]`."""

    shape: Shape
    variables: dict[str, dict[str, Shape]]


# A value in a scoped comparison: its text, or the path of a scope value.
ScopedValue = tuple[bool, tuple[str, ...]]


class ScopedComparison(Struct, frozen=True):
    """`@{left} = right, …` inside `[@scope: …]`."""

    left: ScopedValue
    comparator: str
    right: tuple[ScopedValue, ...]
    any_case: bool

    def holds(self, scope: Any) -> bool:
        """Return whether it holds for one value of the scope."""
        left = _scoped(self.left, scope)
        return any(compare(self.comparator, left, _scoped(each, scope), any_case=self.any_case) for each in self.right)


def _scoped(value: ScopedValue, scope: Any) -> Any:
    is_path, parts = value
    if is_path and isinstance(scope, ShapeScope):
        return attribute(scope.shape, scope.variables, parts)
    return step_into(scope, parts) if is_path else parts[0]


def scoped(path: tuple[str, ...], comparisons: tuple[ScopedComparison, ...]) -> Test:
    """`[@path: comparisons]`: all hold for the value, or for one of several."""

    def check(environment: SelectorContext, shape: Shape) -> bool:
        variables = environment.variables
        value = attribute(shape, variables, path) if path else ShapeScope(shape, variables)
        return any(all(each.holds(one) for each in comparisons) for one in each_of(value))

    return Test(check)
