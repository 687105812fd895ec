"""A terminal session as a picture that moves: an SVG whose lines appear as they did, and which scrolls.

It has no script. Who wants no motion (`prefers-reduced-motion`) sees the end.
"""

import html
import re
import textwrap
from dataclasses import dataclass

_COLUMNS, _ROWS, _LINE, _CHARACTER, _EDGE = 100, 26, 19, 8.43, 14
_TYPED, _READ, _END = 0.9, 0.04, 3.0  # seconds: before a command's line, for each line of output, after the last
_LONGEST = 2.0  # seconds of a command that are shown as they were
_COLOURS = ((r"\$ .*", "prompt"), (r"✓ .*", "good"), (r"error\[.*|\[exit code.*", "bad"), (r" *[=·|].*|.*-->.*", "dim"))
_STYLE = """
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d7dae0; white-space: pre; opacity: 0;
  animation: appear 1ms linear forwards }
.prompt { fill: #fff; font-weight: 600 } .good { fill: #8fd18f } .bad { fill: #ff8f87 } .dim { fill: #9aa3b2 }
#lines { animation: scroll %ss step-end forwards }
@keyframes appear { to { opacity: 1 } }
@keyframes scroll { %s }
@media (prefers-reduced-motion) { text { opacity: 1; animation: none } #lines { animation: none; transform: %s } }
"""


@dataclass(frozen=True)
class Recorded:
    """A command, what it printed, and how long it took."""

    line: str
    output: str
    seconds: float


def picture(session):
    """The SVG of a session."""
    lines = list(_timed(session))
    total = lines[-1][0] + _END
    stops = ["from { transform: none }"]
    for number, (second, _) in enumerate(lines, 1):
        if number > _ROWS:
            stops.append(f"{100 * second / total:.2f}% {{ transform: {_shifted(number)} }}")
    last = _shifted(len(lines)) if len(lines) > _ROWS else "none"
    stops.append(f"to {{ transform: {last} }}")
    width, height = round(_COLUMNS * _CHARACTER + 2 * _EDGE), _ROWS * _LINE + 2 * _EDGE
    rows = "\n".join(
        f'<text y="{number * _LINE}" class="{_class(text)}" style="animation-delay:{second:.2f}s">{html.escape(text)}</text>'
        for number, (second, text) in enumerate(lines, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>A session in a terminal</title>\n<style>{_STYLE % (f'{total:.2f}', ' '.join(stops), last)}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#1e222a"/>\n'
        f'<svg x="{_EDGE}" y="{_EDGE}" width="{width - 2 * _EDGE}" height="{_ROWS * _LINE}"><g id="lines">\n'
        f"{rows}\n</g></svg>\n</svg>\n"
    )


def lines_of(svg):
    """The lines in a picture, in order."""
    return [html.unescape(each) for each in re.findall(r"<text [^>]*>(.*?)</text>", svg)]


def _timed(session):
    """(second, line) of each line of the terminal."""
    second = 0.0
    for each in session:
        second += _TYPED
        yield from ((second, line) for line in _wrapped(f"$ {each.line}"))
        second += min(each.seconds, _LONGEST)
        for text in each.output.rstrip("\n").split("\n") if each.output.strip() else ():
            for line in _wrapped(text):
                second += _READ
                yield second, line


def _wrapped(text):
    return textwrap.wrap(text, _COLUMNS, drop_whitespace=False, replace_whitespace=False, break_on_hyphens=False) or [
        ""
    ]


def _shifted(number):
    return f"translateY(-{(number - _ROWS) * _LINE}px)"


def _class(text):
    return next((name for pattern, name in _COLOURS if re.fullmatch(pattern, text)), "plain")
