"""A layered layout of the dependency graph: columns from the first resources to the last, with few crossings.

Long edges get a bend in each column that they pass, so that they pass between the boxes (after Sugiyama, Tagawa and
Toda, "Methods for Visual Understanding of Hierarchical System Structures", 1981).
"""

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

WIDTH, HEIGHT = 190, 40
_GAP_X, _GAP_Y = 70, 16
_BEND, _BEND_GAP = 4, 5  # of an edge that passes a column
_MARGIN = 16
_SWEEPS = 6
_MOST_BENDS = 4_000
_LEAST_ACROSS = 5  # names without edges in a row


class PlacedNode(Struct, frozen=True):
    """A box; `x` and `y` are its upper left corner."""

    name: str
    x: float
    y: float


class PlacedEdge(Struct, frozen=True):
    """A curve from a resource's dependency to the resource, as an SVG path."""

    source: str
    target: str
    path: str


class GraphLayout(Struct, frozen=True):
    """The drawing, and its size."""

    nodes: Sequence[PlacedNode]
    edges: Sequence[PlacedEdge]
    width: float
    height: float


# A resource, or a bend of an edge: (source, target, column).
_Item = str | tuple[str, str, int]


def lay_out(graph: Mapping[str, Sequence[str]]) -> GraphLayout:
    """Return the layout of a graph: name → names that it depends on.

    Each column has the names that depend on one of the column before. Names without any edge are in rows below.
    """
    return _lay_out(tuple((name, tuple(needed)) for name, needed in graph.items()))


@functools.lru_cache(maxsize=32)
def _lay_out(dependencies: tuple[tuple[str, tuple[str, ...]], ...]) -> GraphLayout:
    graph = dict(dependencies)
    needed = {each for name in graph for each in graph[name]}
    alone = [name for name in graph if name not in needed and not any(each in graph for each in graph[name])]
    layered = _lay_out_layers({name: graph[name] for name in graph if name not in set(alone)})
    if not alone:
        return layered
    across = max(round((layered.width - 2 * _MARGIN + _GAP_X) / (WIDTH + _GAP_X)), _LEAST_ACROSS)
    top = layered.height if layered.nodes else _MARGIN
    step_x, step_y = WIDTH + _GAP_Y, HEIGHT + _GAP_Y
    nodes = [
        PlacedNode(name, _MARGIN + at % across * step_x, top + at // across * step_y) for at, name in enumerate(alone)
    ]
    width = max(layered.width, 2 * _MARGIN + min(across, len(alone)) * step_x - _GAP_Y)
    height = top + -(-len(alone) // across) * step_y - _GAP_Y + _MARGIN
    return GraphLayout([*layered.nodes, *nodes], layered.edges, width, height)


def _lay_out_layers(graph: Mapping[str, Sequence[str]]) -> GraphLayout:
    column = _columns(graph)
    edges = [(each, name) for name in graph for each in graph[name] if each in graph and column[each] < column[name]]
    bends = sum(column[target] - column[source] - 1 for source, target in edges)
    chains = {edge: _chain(edge, column) if bends <= _MOST_BENDS else list(edge) for edge in edges}
    columns: list[list[_Item]] = [[] for _ in range(max(column.values(), default=-1) + 1)]
    for name in graph:
        columns[column[name]].append(name)
    for chain in chains.values():
        for each in chain[1:-1]:
            assert isinstance(each, tuple)
            columns[each[2]].append(each)
    _untangle(columns, chains.values())
    return _place(columns, chains)


def _columns(graph: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the column of each name: one after its last dependency. The graph's order is topological."""
    column: dict[str, int] = {}
    for name in graph:
        column[name] = max((column[each] + 1 for each in graph[name] if each in column), default=0)
    return column


def _chain(edge: tuple[str, str], column: Mapping[str, int]) -> list[_Item]:
    source, target = edge
    between = range(column[source] + 1, column[target])
    return [source, *((source, target, each) for each in between), target]


def _untangle(columns: Sequence[list[_Item]], chains: Iterable[Sequence[_Item]]) -> None:
    """Order each column by the middle of its neighbours, forth and back some times."""
    before: dict[_Item, list[_Item]] = {}
    after: dict[_Item, list[_Item]] = {}
    for chain in chains:
        for one, other in itertools.pairwise(chain):
            after.setdefault(one, []).append(other)
            before.setdefault(other, []).append(one)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        order = columns[1:] if forth else columns[-2::-1]
        place = {item: at for each in columns for at, item in enumerate(each)}
        for each in order:
            beside = before if forth else after
            key = {
                item: sum(place[near] for near in beside[item]) / len(beside[item]) if beside.get(item) else place[item]
                for item in each
            }
            each.sort(key=key.__getitem__)
            place |= {item: at for at, item in enumerate(each)}


def _place(columns: list[list[_Item]], chains: Mapping[tuple[str, str], Sequence[_Item]]) -> GraphLayout:
    heights = [sum(_height(each) + _gap(each) for each in column) - _GAP_Y for column in columns]
    tallest = max(heights, default=0)
    at: dict[_Item, tuple[float, float]] = {}
    for number, column in enumerate(columns):
        x = _MARGIN + number * (WIDTH + _GAP_X)
        y = _MARGIN + (tallest - heights[number]) / 2
        for item in column:
            at[item] = (x, y)
            y += _height(item) + _gap(item)
    nodes = [PlacedNode(item, *at[item]) for column in columns for item in column if isinstance(item, str)]
    edges = [PlacedEdge(source, target, _curve(chain, at)) for (source, target), chain in chains.items()]
    width = 2 * _MARGIN + len(columns) * (WIDTH + _GAP_X) - _GAP_X
    return GraphLayout(nodes, edges, max(width, 1), tallest + 2 * _MARGIN)


def _height(item: _Item) -> int:
    return HEIGHT if isinstance(item, str) else _BEND


def _gap(item: _Item) -> int:
    return _GAP_Y if isinstance(item, str) else _BEND_GAP


def _curve(chain: Sequence[_Item], at: Mapping[_Item, tuple[float, float]]) -> str:
    """Return a smooth path through the items of an edge: it enters on the left and leaves on the right."""
    x, y = at[chain[0]]
    path = f"M{x + WIDTH:.0f} {y + HEIGHT / 2:.0f}"
    x += WIDTH
    y += HEIGHT / 2
    for item in chain[1:]:
        left, top = at[item]
        middle = top + _height(item) / 2
        bow = (left - x) / 2
        path += f"C{x + bow:.0f} {y:.0f} {left - bow:.0f} {middle:.0f} {left:.0f} {middle:.0f}"
        x, y = left, middle
        if not isinstance(item, str):
            x = left + WIDTH
            path += f"H{x:.0f}"
    return path
