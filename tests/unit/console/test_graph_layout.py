"""The layout of dependency graphs."""

import itertools
import random

import pytest

from formwork.console.views.graph_layout import HEIGHT, WIDTH, lay_out


def placed(graph):
    layout = lay_out(graph)
    return layout, {each.name: each for each in layout.nodes}


def test_a_resource_is_on_the_right_of_what_it_depends_on():
    layout, at = placed({"A": (), "B": ("A",), "C": ("A", "B"), "D": ()})
    assert at["A"].x == at["D"].x < at["B"].x < at["C"].x
    assert {(each.source, each.target) for each in layout.edges} == {("A", "B"), ("A", "C"), ("B", "C")}


def test_an_empty_graph_has_a_layout():
    assert lay_out({}).nodes == []


@pytest.mark.parametrize("seed", range(5))
def test_no_two_boxes_overlap_and_all_are_inside(seed):
    chance = random.Random(seed)
    names = [f"R{number}" for number in range(120)]
    graph = {name: tuple(chance.sample(names[:at], min(at, chance.randrange(4)))) for at, name in enumerate(names)}
    layout, at = placed(graph)
    assert set(at) == set(names)
    boxes = sorted((each.x, each.y) for each in layout.nodes)
    for (x, y), (other_x, other_y) in itertools.pairwise(boxes):
        assert x != other_x or other_y - y >= HEIGHT
    assert max(each.x + WIDTH for each in layout.nodes) < layout.width
    assert max(each.y + HEIGHT for each in layout.nodes) < layout.height
    assert min(min(each) for each in boxes) > 0


def test_a_large_graph_is_laid_out():
    names = [f"R{number}" for number in range(1500)]
    graph = {name: tuple(names[max(0, at - 40) : at : 7]) for at, name in enumerate(names)}
    assert len(lay_out(graph).nodes) == 1500


def test_crossings_are_removed():
    _, at = placed({"A": (), "B": (), "C": ("B",), "D": ("A",)})
    assert (at["A"].y < at["B"].y) == (at["D"].y < at["C"].y)


def test_names_without_edges_are_in_rows_below():
    layout = lay_out({"A": (), "B": ("A",), **{f"S{number}": () for number in range(7)}})
    at = {each.name: (each.x, each.y) for each in layout.nodes}
    assert len({(x, y) for x, y in at.values()}) == 9
    alone = [at[f"S{number}"] for number in range(7)]
    assert min(y for _, y in alone) > max(at["A"][1], at["B"][1])
    assert len({y for _, y in alone}) == 2
    assert max(y for _, y in alone) < layout.height
    assert all(x < layout.width for x, _ in at.values())
