"""Plots: well-formed SVG whose points stand where their values say."""

import re
from xml.etree import ElementTree as ET

from bench.plot import HEIGHT, WIDTH, Series, render_plot, svg_plot

SVG = "{http://www.w3.org/2000/svg}"


def draw(*series):
    return ET.fromstring(render_plot(series, title='A & "B"', x="<size>", y="ms"))


def test_points_stand_in_proportion_and_on_the_picture():
    circles = draw(Series("cost", [(1, 10), (2, 20), (4, 40)])).findall(f"{SVG}circle")
    xs, ys = ([float(each.get(name)) for each in circles] for name in ("cx", "cy"))
    assert abs((xs[2] - xs[1]) - 2 * (xs[1] - xs[0])) < 0.3
    assert abs((ys[1] - ys[2]) - 2 * (ys[0] - ys[1])) < 0.3
    assert all(0 < x < WIDTH for x in xs)
    assert all(0 < y < HEIGHT for y in ys)


def test_ticks_are_round_and_reach_the_largest_value():
    texts = [each.text for each in draw(Series("cost", [(0, 0), (5.3, 1370)])).iter(f"{SVG}text")]
    numbers = [float(each) for each in texts if re.fullmatch(r"[\d.e+]+", each)]
    assert {0, 1, 2, 3, 4, 5, 6} <= set(numbers)
    assert max(numbers) == 1500


def test_texts_are_escaped_and_a_dashed_line_has_no_dots():
    root = draw(Series("a < b", [(0, 0), (1, 1)], dashed=True))
    assert root.get("aria-label") == 'A & "B"'
    assert {"a < b", "<size>"} <= {each.text for each in root.iter(f"{SVG}text")}
    assert not root.findall(f"{SVG}circle")
    assert root.find(f"{SVG}polyline").get("stroke-dasharray")


def test_a_plot_without_points_is_a_plot(tmp_path):
    path = svg_plot([], tmp_path / "deep" / "none.svg", title="none", x="x", y="y")
    assert ET.parse(path).getroot().tag == f"{SVG}svg"
