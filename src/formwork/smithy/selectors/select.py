"""Running selectors over a model."""

from collections.abc import Iterable
from functools import cache

from formwork.smithy.model import Model
from formwork.smithy.selectors.neighbors import Neighbors
from formwork.smithy.selectors.nodes import Chain, RelationStep, SelectorContext, Test
from formwork.smithy.selectors.parser import parse_chain
from formwork.smithy.shapes import Shape, ShapeType

Selector = Chain

parse_cached = cache(parse_chain)


def select(
    model: Model,
    selector: str | Selector,
    *,
    neighbors: Neighbors | None = None,
    among: Iterable[Shape] | None = None,
) -> dict[str, Shape]:
    """Return the shapes that a selector gives, by id, beginning at those `among` which it is to look (all by default).

    Raises:
        SelectorSyntaxError: `selector` is not a valid selector.
    """
    chain = parse_cached(selector) if isinstance(selector, str) else selector
    graph = neighbors or Neighbors(model)
    roots: dict[int, dict[str, Shape]] = {}
    found: dict[str, Shape] = {}
    for start in _starts(model, chain) if among is None else among:
        for shape in chain.run(SelectorContext(graph, {}, roots), start):
            found[shape.id] = shape
    return found


def _starts(model: Model, chain: Selector) -> Iterable[Shape]:
    """Return candidate start shapes of a selector: those that its first part may accept, by the model's indexes."""
    first = chain.parts[0]
    if isinstance(first, Test) and first.trait is not None:
        return model.appliers.get(first.trait, ())
    if isinstance(first, Test) and first.types is not None and ShapeType.MEMBER not in first.types:
        return model.of_type(*first.types)
    return model.everything()


def matches(model: Model, selector: str, shapes: Iterable[Shape], *, neighbors: Neighbors) -> set[str]:
    """Return the ids of those of `shapes` that a selector gives.

    Raises:
        SelectorSyntaxError: `selector` is not a valid selector.
    """
    chain = parse_cached(selector)
    if all(part.filters or (isinstance(part, RelationStep) and part.back is not None) for part in chain.parts):
        return {each.id for each in shapes if _is_reached(chain, each, neighbors)}
    found = select(model, chain, neighbors=neighbors)
    return {each.id for each in shapes if each.id in found}


def _is_reached(chain: Selector, shape: Shape, neighbors: Neighbors) -> bool:
    """Return whether the selector reaches `shape` from some shape, by walking its steps backwards."""
    environment = SelectorContext(neighbors)
    reached = [shape]
    for part in reversed(chain.parts):
        if isinstance(part, RelationStep) and part.back is not None:
            reached = list({each.id: each for one in reached for each in part.back(environment, one)}.values())
        else:
            reached = [each for each in reached if next(part.run(environment, each), None) is not None]
        if not reached:
            return False
    return True
