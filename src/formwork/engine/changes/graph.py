"""The dependency graph of resources, and the order in which they are created and deleted."""

from collections.abc import Iterable, Mapping

from formwork.template import Template, dependencies
from formwork.template.evaluation import Evaluator

Graph = Mapping[str, tuple[str, ...]]


def build_graph(template: Template, evaluator: Evaluator) -> dict[str, tuple[str, ...]]:
    """Return the dependencies of each resource: logical id → logical ids, without those whose condition is false.

    The order is topological; independent resources keep the template's order.
    """
    present = {name for name, each in template.resources.items() if evaluator.exists(each)}
    edges = {
        name: tuple(each for each in dependencies(template, template.resources[name]) if each in present)
        for name in template.resources
        if name in present
    }
    return {name: edges[name] for name in sort_topologically(edges)}


def sort_topologically(edges: Graph) -> tuple[str, ...]:
    """Return the names, each after its dependencies; without recursion. A checked template has no cycles."""
    ordered: dict[str, None] = {}
    for start in edges:
        stack = [(start, iter(edges[start]))]
        while stack:
            name, rest = stack[-1]
            following = next((each for each in rest if each not in ordered and each in edges), None)
            if following is None:
                stack.pop()
                ordered[name] = None
            else:
                stack.append((following, iter(edges[following])))
    return tuple(ordered)


def reverse_graph(edges: Graph) -> dict[str, tuple[str, ...]]:
    """Return the dependents of each resource: the order in which resources are deleted."""
    users: dict[str, list[str]] = {name: [] for name in reversed([*edges])}
    for name, targets in edges.items():
        for each in targets:
            if each in users:
                users[each].append(name)
    return {name: tuple(each) for name, each in users.items()}


def restrict(edges: Graph, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the graph of some of the names, with the dependencies that pass through the others."""
    wanted = set(names)
    found: dict[str, tuple[str, ...]] = {}
    for name in edges:
        if name in wanted:
            found[name] = tuple(_reach(edges, name, wanted))
    return found


def _reach(edges: Graph, start: str, wanted: set[str]) -> Iterable[str]:
    seen: dict[str, None] = {}
    pending = list(edges.get(start, ()))
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen[name] = None
        if name not in wanted:
            pending += edges.get(name, ())
    return [name for name in seen if name in wanted]
