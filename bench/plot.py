"""Line plots as SVG, written by hand: a chart in the documentation needs no plotting library."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 40, 48
_INK, _GRID = "#444", "#ddd"
_COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bf8700", "#0a7ea4")
_STEPS = (1.0, 2.0, 5.0, 10.0)
_TICKS = 6


@dataclass(frozen=True, slots=True)
class Series:
    """A line of the plot: its name in the legend, and its points (x, y), neither below 0.

    `dashed` is for lines that were not measured, such as the straight line that a linear cost would follow.
    """

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


def svg_plot(series: Sequence[Series], path: Path, *, title: str, x: str, y: str) -> Path:
    """Write a plot of `series` to `path`, with both axes from 0, and return `path`; `x` and `y` name the axes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_plot(series, title=title, x=x, y=y), encoding="utf-8")
    return path


def render_plot(series: Sequence[Series], *, title: str, x: str, y: str) -> str:
    """The SVG's text; the same series give the same text."""
    points = [point for each in series for point in each.points]
    across = _Axis(max((each for each, _ in points), default=1.0), _LEFT, WIDTH - _RIGHT)
    up = _Axis(max((each for _, each in points), default=1.0), HEIGHT - _BOTTOM, _TOP)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            f'font-size="12" fill="{_INK}" role="img" aria-label="{_attribute(title)}">'
        ),
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
        *(_x_tick(across, tick) for tick in across.ticks),
        *(_y_tick(up, tick) for tick in up.ticks),
        f'<text x="{(_LEFT + WIDTH - _RIGHT) / 2:g}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x)}</text>',
        (
            f'<text x="14" y="{(_TOP + HEIGHT - _BOTTOM) / 2:g}" text-anchor="middle" '
            f'transform="rotate(-90 14 {(_TOP + HEIGHT - _BOTTOM) / 2:g})">{escape(y)}</text>'
        ),
        *(_line(each, number, across, up) for number, each in enumerate(series)),
        *(_legend(each, number) for number, each in enumerate(series)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Axis:
    """From values to places on the picture; the last tick is at or beyond the largest value."""

    def __init__(self, largest: float, start: float, end: float) -> None:
        rough = max(largest, 1e-9) / _TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(each * power for each in _STEPS if each * power >= rough * (1 - 1e-9))
        count = math.ceil(max(largest, 1e-9) / step - 1e-9)
        self.ticks = [number * step for number in range(count + 1)]
        self._start, self._scale = start, (end - start) / self.ticks[-1]

    def place(self, value: float) -> str:
        return f"{self._start + value * self._scale:.1f}"


def _x_tick(axis: _Axis, tick: float) -> str:
    at, bottom = axis.place(tick), HEIGHT - _BOTTOM
    return (
        f'<path d="M{at} {_TOP}V{bottom}" stroke="{_GRID}"/>'
        f'<text x="{at}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>'
    )


def _y_tick(axis: _Axis, tick: float) -> str:
    at = axis.place(tick)
    return (
        f'<path d="M{_LEFT} {at}H{WIDTH - _RIGHT}" stroke="{_GRID}"/>'
        f'<text x="{_LEFT - 6}" y="{at}" dy="4" text-anchor="end">{tick:g}</text>'
    )


def _line(series: Series, number: int, across: _Axis, up: _Axis) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    places = [(across.place(x), up.place(y)) for x, y in series.points]
    route = " ".join(f"{x},{y}" for x, y in places)
    dash = ' stroke-dasharray="5 4"' if series.dashed else ""
    dots = "" if series.dashed else "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in places)
    return f'<polyline points="{route}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>{dots}'


def _legend(series: Series, number: int) -> str:
    colour, y = _COLOURS[number % len(_COLOURS)], _TOP + 14 + 16 * number
    dash = ' stroke-dasharray="5 4"' if series.dashed else ""
    return (
        f'<path d="M{_LEFT + 10} {y - 4}h20" stroke="{colour}" stroke-width="2"{dash}/>'
        f'<text x="{_LEFT + 36}" y="{y}">{escape(series.name)}</text>'
    )


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})
