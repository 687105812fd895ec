"""Layouts: texts with the places where lines may end, and the widest way to print them.

A `Group` is printed on one line where it fits the width with what follows it on that line, else all its soft lines
end (Wadler, "A prettier printer", 2003).
"""

from collections.abc import Iterable
from dataclasses import dataclass

_INDENT = 4


@dataclass(frozen=True, slots=True)
class Soft:
    """A line's end in a group that doesn't fit, else `flat`."""

    flat: str


@dataclass(frozen=True, slots=True)
class Indent:
    """Lines that begin inside are one level deeper."""

    content: "Layout"


@dataclass(frozen=True, slots=True)
class Group:
    """What is printed on one line or with all its soft lines ended."""

    content: "Layout"


@dataclass(frozen=True, slots=True)
class Hard:
    """A line's end."""


HARD = Hard()
Layout = str | Soft | Hard | Indent | Group | tuple["Layout", ...]


def joined(separator: Layout, parts: Iterable[Layout]) -> Layout:
    """Layouts with a separator between them."""
    result: list[Layout] = []
    for part in parts:
        if result:
            result.append(separator)
        result.append(part)
    return tuple(result)


def render(layout: Layout, width: int) -> str:
    """The text; a text of several lines in a layout is printed as it is."""
    out: list[str] = []
    column, margin = 0, 0
    todo: list[tuple[int, bool, Layout]] = [(0, False, layout)]
    while todo:
        indent, flat, here = todo.pop()
        match here:
            case "":
                pass
            case str():
                if margin:
                    out.append(" " * margin)
                    column, margin = margin, 0
                out.append(here)
                column = len(here) - here.rfind("\n") - 1 if "\n" in here else column + len(here)
            case Soft() if flat:
                todo.append((indent, flat, here.flat))
            case Soft() | Hard():
                out.append("\n")
                column, margin = 0, indent
            case Indent():
                todo.append((indent + _INDENT, flat, here.content))
            case Group():
                fits = flat or _fits(width - (column + margin), here.content, todo)
                todo.append((indent, fits, here.content))
            case tuple():
                todo.extend((indent, flat, part) for part in reversed(here))
    return "".join(out)


def _fits(room: int, content: Layout, rest: list[tuple[int, bool, Layout]]) -> bool:
    """Whether a group's content, on one line, and what follows it up to the next line's end leave room."""
    position = len(rest)
    todo: list[tuple[bool, Layout]] = [(True, content)]
    while room >= 0:
        if not todo:
            if position == 0:
                return True
            position -= 1
            _, flat, layout = rest[position]
            todo.append((flat, layout))
            continue
        flat, here = todo.pop()
        match here:
            case str():
                first, line_end, _ = here.partition("\n")
                room -= len(first)
                if line_end:
                    return room >= 0
            case Soft() if flat:
                room -= len(here.flat)
            case Soft() | Hard():
                return True
            case Indent() | Group():
                todo.append((flat, here.content))
            case tuple():
                todo.extend((flat, part) for part in reversed(here))
    return False
