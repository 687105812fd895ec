"""Transforms by their names in a smithy-build.json."""

import pytest

from formwork.diagnostics import BadInputError
from formwork.smithy.load import load_texts
from formwork.smithy.transforms import transform

MODEL = """$version: "2"
namespace ns
service S { version: "1", operations: [A, B] }
@tags(["x"]) operation A { input := { @required @documentation("d") id: Id } }
@internal operation B { errors: [E] }
@error("client") structure E {}
string Id
string Unused
@trait structure mark {}
"""


def shapes(name, arguments):
    model = transform(load_texts([("m.smithy", MODEL)]).model, name, arguments)
    return {each.partition("#")[2]: shape for each, shape in model.shapes.items() if each.startswith("ns#")}


@pytest.mark.parametrize(
    ("name", "arguments", "left"),
    [
        ("excludeShapesBySelector", {"selector": "string"}, ["A", "AInput", "B", "E", "S", "mark"]),
        ("includeShapesBySelector", {"selector": "string"}, ["Id", "Unused"]),
        ("excludeByTag", {"tags": ["x"]}, ["AInput", "B", "E", "Id", "S", "Unused", "mark"]),
        ("includeShapesByTag", {"tags": ["x"]}, ["A"]),
        ("excludeShapesByTrait", {"traits": ["internal"]}, ["A", "AInput", "E", "Id", "S", "Unused", "mark"]),
        ("treeShaker", {}, ["A", "AInput", "B", "E", "Id", "S"]),
        ("filterSuppressions", {}, ["A", "AInput", "B", "E", "Id", "S", "Unused", "mark"]),
    ],
)
def test_shapes_that_are_left(name, arguments, left):
    assert sorted(shapes(name, arguments)) == left


def test_bindings_follow_shapes():
    assert shapes("excludeShapesByTag", {"tags": ["x"]})["S"].operations == ("ns#B",)


def test_traits():
    assert "mark" not in shapes("excludeTraits", {"traits": ["ns#mark"]})
    assert "mark" in shapes("excludeTraits", {"traits": ["required"]})
    left = shapes("includeTraits", {"traits": ["required"]})
    assert list(left["AInput"].members["id"].traits) == ["smithy.api#required"]
    assert "smithy.api#required" not in shapes("excludeTraits", {"traits": ["required"]})["AInput"].members["id"].traits


@pytest.mark.parametrize("arguments", [("nope", {}), ("includeShapesBySelector", {"selector": ":nope("})])
def test_what_cannot_be_done_is_refused(arguments):
    with pytest.raises(BadInputError):
        shapes(*arguments)
