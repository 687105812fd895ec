"""What the parser needs beside its own steps: quoting undone, a class in the making, the bounds of look-behinds."""

import re

from formwork.patterns.syntax import (
    BackReference,
    CharClass,
    Choice,
    Flags,
    Group,
    Mode,
    Node,
    Repeat,
    Sequence,
    Verbatim,
)


def unquote(text: str) -> str:
    r"""Return `text` with each character between `\Q` and `\E` escaped, as Java does before parsing."""
    start = 0
    while (start := text.find("\\", start)) >= 0 and text[start + 1 : start + 2] != "Q":
        start += 2
    if start < 0:
        return text
    parts, quoted = [text[:start]], True
    for piece in re.split(r"\\E", text[start + 2 :], maxsplit=1):
        if quoted:
            parts += [f"\\{each}" if each.isascii() and not each.isalnum() else each for each in piece]
        else:
            parts.append(unquote(piece))
        quoted = False
    return "".join(parts)


class ClassUnion:
    """A class in the making."""

    def __init__(self, flags: Flags) -> None:
        self._flags = flags
        self._ranges: list[tuple[int, int]] = []
        self._classes: list[CharClass] = []
        self.has_any = False

    def add_range(self, low: int, high: int) -> None:
        """Take in the characters from `low` to `high`."""
        self._ranges.append((low, high))
        self.has_any = True

    def add(self, inner: CharClass) -> None:
        """Take in the characters of a class."""
        self._classes.append(inner)
        self.has_any = True

    def build(self, cuts: tuple[CharClass, ...], *, negated: bool) -> CharClass:
        """Return the class, cut with `cuts`; classes inside it that are plain sets are merged into it."""
        plain = [each for each in self._classes if not each.negated and not each.cuts and each.flags == Flags.NONE]
        return CharClass(
            ranges=(*self._ranges, *(pair for each in plain for pair in each.ranges)),
            properties=tuple(each for inner in plain for each in inner.properties),
            classes=(
                *(each for inner in plain for each in inner.classes),
                *(each for each in self._classes if each not in plain),
            ),
            cuts=cuts,
            negated=negated,
            flags=self._flags,
        )


def is_bounded(node: Node) -> bool:
    """Return whether `node` has a greatest length, as Java asks of a look-behind."""
    match node:
        case Repeat():
            # A greedy `x*` or `x+` of one character passes: Java 13 and later forget to look at it.
            forgotten = isinstance(node.body, CharClass) and node.mode is Mode.GREEDY and node.low < 2
            return forgotten or (node.high is not None and is_bounded(node.body))
        case Group():
            return node.opener in ("?=", "?!", "?<=", "?<!") or is_bounded(node.body)
        case Sequence():
            return all(is_bounded(each) for each in node.parts)
        case Choice():
            return all(is_bounded(each) for each in node.options)
        case BackReference():
            return False
        case Verbatim():
            return node.text != "\\X"
        case _:
            return True
