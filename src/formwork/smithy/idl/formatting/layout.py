"""Layouts: texts with the places where lines may end, and the widest way to print them.

A `LayoutGroup` is printed on one line where it fits the width with what follows it on that line, else all its soft
lines end (Wadler, "A prettier printer", 2003).
"""

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

_INDENT = 4


class Soft(Struct, frozen=True):
    """A line's end in a group that doesn't fit, else `flat`."""

    flat: str


class Indent(Struct, frozen=True):
    """Lines that begin inside are one level deeper."""

    content: "Layout"


class LayoutGroup(Struct, frozen=True):
    """What is printed on one line or with all its soft lines ended."""

    content: "Layout"


class Hard(Struct, frozen=True):
    """A line's end."""


class _Mode(Enum):
    """Whether a layout stands in no group, in one whose soft lines end, or in one on a single line."""

    OPEN = "open"
    BROKEN = "broken"
    FLAT = "flat"


HARD = Hard()
Layout = str | Soft | Hard | Indent | LayoutGroup | tuple["Layout", ...]


def joined(separator: Layout, parts: Iterable[Layout]) -> Layout:
    """Layouts with a separator between them."""
    result: list[Layout] = []
    for part in parts:
        if result:
            result.append(separator)
        result.append(part)
    return tuple(result)


def render(layout: Layout, width: int) -> str:
    """Return the text; a text of several lines in a layout is printed as it is.

    What follows a group on its line isn't counted, and after a line's end inside a group neither is what stands before
    a group on its line: the reference's printer measures so, and texts that it laid out stay as they are.
    """
    out: list[str] = []
    column, margin, lines = 0, 0, 0
    outermost = 0  # the line on which the group began that all groups here are in
    todo: list[tuple[int, _Mode, Layout]] = [(0, _Mode.OPEN, layout)]
    while todo:
        indent, mode, here = todo.pop()
        match here:
            case str():
                if not here:
                    continue
                out.append(" " * margin + here)
                column = len(here) - here.rfind("\n") - 1 if "\n" in here else column + margin + len(here)
                margin = 0
            case Soft() if mode is _Mode.FLAT:
                todo.append((indent, mode, here.flat))
            case Soft() | Hard():
                out.append("\n")
                column, margin, lines = 0, indent, lines + 1
            case Indent():
                todo.append((indent + _INDENT, mode, here.content))
            case LayoutGroup():
                if mode is _Mode.OPEN:
                    outermost = lines
                before = column + margin if lines == outermost else 0
                flat = _fits(width - before, here.content)
                todo.append((indent, _Mode.FLAT if flat else _Mode.BROKEN, here.content))
            case tuple():
                todo.extend((indent, mode, part) for part in reversed(here))
    return "".join(out)


def _fits(room: int, content: Layout) -> bool:
    """Return whether a group's content, on one line, leaves room up to its first line's end."""
    todo: list[Layout] = [content]
    while todo and room >= 0:
        here = todo.pop()
        match here:
            case str():
                first, line_end, _ = here.partition("\n")
                room -= len(first)
                if line_end:
                    break
            case Soft():
                room -= len(here.flat)
            case Hard():
                break
            case Indent() | LayoutGroup():
                todo.append(here.content)
            case tuple():
                todo.extend(reversed(here))
    return room >= 0
