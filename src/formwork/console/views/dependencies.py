"""The dependencies between a stack's resources."""

from collections.abc import Mapping, Sequence

from formwork.engine.engine import Engine
from formwork.stacks.store.records import StackRecord
from formwork.template.evaluation import EvaluationError


def dependency_graph(engine: Engine, stack: StackRecord) -> Mapping[str, Sequence[str]]:
    """Return what each resource depends on; {} where the template can't be evaluated any more."""
    shown = engine.lookups.with_shown_deployment(stack)
    if shown.deployed is None:
        return {}
    try:
        return engine.planner.view(shown, shown.deployed).graph
    except EvaluationError:
        return {}


def reversed_graph(graph: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return which resources depend on each, which is what a deletion waits for; the last ones first."""
    found: dict[str, list[str]] = {name: [] for name in reversed(list(graph))}
    for name, needed in graph.items():
        for each in needed:
            if each in found:
                found[each].append(name)
    return found
