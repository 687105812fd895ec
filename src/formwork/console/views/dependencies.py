"""The dependencies between a stack's resources."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from formwork.engine.engine import Engine
from formwork.stacks.store.records import Deployment, StackRecord
from formwork.template.evaluation import EvaluationError

_MOST_KEPT = 32  # stacks
# By the ids of stacks: pages are made again with every change, and 500 resources take 40 ms.
_kept: OrderedDict[str, tuple[Deployment, Mapping[str, Sequence[str]]]] = OrderedDict()
_lock = threading.Lock()


def dependency_graph(engine: Engine, stack: StackRecord) -> Mapping[str, Sequence[str]]:
    """Return what each resource depends on; {} where the template can't be evaluated any more."""
    shown = engine.lookups.with_shown_deployment(stack)
    if shown.deployed is None:
        return {}
    with _lock:
        known = _kept.get(stack.id)
    if known is not None and known[0] == shown.deployed:
        return known[1]
    try:
        graph = engine.planner.view(shown, shown.deployed).graph
    except EvaluationError:
        graph = {}
    with _lock:
        _kept[stack.id] = (shown.deployed, graph)
        _kept.move_to_end(stack.id)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    return graph


def reversed_graph(graph: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return which resources depend on each, which is what a deletion waits for; the last ones first."""
    found: dict[str, list[str]] = {name: [] for name in reversed(list(graph))}
    for name, needed in graph.items():
        for each in needed:
            if each in found:
                found[each].append(name)
    return found
