"""Functions of selectors: `:test(…)`, `:not(…)` and the others."""

from collections.abc import Callable, Iterator, Mapping

from formwork.smithy.selectors.nodes import Chain, RelationStep, SelectorContext, SelectorPart, Test
from formwork.smithy.shapes import Shape, ShapeType

Arguments = tuple[Chain, ...]


def _test(arguments: Arguments) -> SelectorPart:
    return Test(lambda environment, shape: any(each.leads_anywhere(environment, shape) for each in arguments))


def _not(arguments: Arguments) -> SelectorPart:
    return Test(lambda environment, shape: not any(each.leads_anywhere(environment, shape) for each in arguments))


class _Is:
    """The selector function `:is`: the union of its arguments' results."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.filters = all(each.filters for each in arguments)

    def run(self, environment: SelectorContext, shape: Shape) -> Iterator[Shape]:
        """Yield every shape that a selector leads to."""
        for argument in self.arguments:
            yield from argument.run(environment, shape)


def _everywhere(environment: SelectorContext, selector: Chain) -> dict[str, Shape]:
    """Return a selector's result for the whole model, cached."""
    found = environment.roots.get(id(selector))
    if found is None:
        found = environment.roots[id(selector)] = {}
        for start in environment.neighbors.model.everything():
            inner = SelectorContext(environment.neighbors, {}, environment.roots)
            found |= {shape.id: shape for shape in selector.run(inner, start)}
    return found


def _root(arguments: Arguments) -> SelectorPart:
    return RelationStep(lambda environment, _shape: iter(_everywhere(environment, arguments[0]).values()))


def _in(arguments: Arguments) -> SelectorPart:
    def check(environment: SelectorContext, shape: Shape) -> bool:
        return any(found.id == shape.id for found in arguments[0].run(environment, shape))

    return Test(check)


def _recursive(arguments: Arguments) -> SelectorPart:
    """Return a step that applies the selector repeatedly to its own results."""

    def step(environment: SelectorContext, shape: Shape) -> Iterator[Shape]:
        seen: set[str] = set()
        todo = [shape]
        while todo:
            for found in arguments[0].run(environment, todo.pop()):
                if found.id not in seen:
                    seen.add(found.id)
                    todo.append(found)
                    yield found

    return RelationStep(step)


def _topdown(arguments: Arguments) -> SelectorPart:
    """Services, resources and operations that match, or that are below one that does and not below one that doesn't."""
    match_selector, *rest = arguments
    refuse = rest[0] if rest else None

    def is_matched(environment: SelectorContext, shape: Shape, seen: frozenset[str]) -> bool:
        if refuse is not None and refuse.leads_anywhere(environment, shape):
            return False
        if match_selector.leads_anywhere(environment, shape):
            return True
        parents = environment.neighbors.reverse(shape, ("resource", "operation"))
        return any(
            is_matched(environment, parent, seen | {parent.id})
            for parent in {each.id: each for each in parents}.values()
            if parent.id not in seen
        )

    def check(environment: SelectorContext, shape: Shape) -> bool:
        if shape.type not in (ShapeType.SERVICE, ShapeType.RESOURCE, ShapeType.OPERATION):
            return False
        return is_matched(environment, shape, frozenset((shape.id,)))

    return Test(check)


# Name → how to make the part, and how many selectors it takes at least and at most (0: any number).
FUNCTIONS: Mapping[str, tuple[Callable[[Arguments], SelectorPart], int, int]] = {
    "test": (_test, 1, 0),
    "is": (_Is, 1, 0),
    "each": (_Is, 1, 0),
    "not": (_not, 1, 1),
    "in": (_in, 1, 1),
    "root": (_root, 1, 1),
    "recursive": (_recursive, 1, 1),
    "topdown": (_topdown, 1, 2),
}


def set_variable(name: str, selector: Chain) -> SelectorPart:
    """`$name(selector)`: remembers what the selector gives and passes the shape on."""

    def step(environment: SelectorContext, shape: Shape) -> Iterator[Shape]:
        environment.variables[name] = {found.id: found for found in selector.run(environment, shape)}
        yield shape

    return RelationStep(step)


def get_variable(name: str) -> SelectorPart:
    """`${name}`: what was remembered."""

    def step(environment: SelectorContext, _shape: Shape) -> Iterator[Shape]:
        yield from list(environment.variables.get(name, {}).values())

    return RelationStep(step)
