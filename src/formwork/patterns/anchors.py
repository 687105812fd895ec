"""Patterns that never match, since characters must precede a start anchor or follow an end anchor."""

from formwork.patterns.syntax import (
    Anchor,
    CharClass,
    Choice,
    FlaggedAnchor,
    Flags,
    Group,
    Node,
    Repeat,
    Sequence,
    Verbatim,
)

_STARTS = frozenset({Anchor.BEGIN, Anchor.START_OF_TEXT})


def never_matches(root: Node) -> bool:
    """Return whether in every alternative characters must stand before a beginning, or behind an end, of the text.

    A line break may stand behind `$`, and is not a character here; where `(?m)` is on nothing is said.
    """
    match root:
        case Choice():
            return all(never_matches(each) for each in root.options)
        case Group():
            return root.opener in ("", "?:") and never_matches(root.body)
        case Sequence():
            return _sequence_never_matches(root.parts)
        case _:
            return False


def _sequence_never_matches(parts: tuple[Node, ...]) -> bool:
    for index, part in enumerate(parts):
        if never_matches(part):
            return True
        if not isinstance(part, FlaggedAnchor) or Flags.MULTILINE in part.flags:
            continue
        if part.anchor in _STARTS and any(map(_consumes, parts[:index])):
            return True
        if part.anchor is Anchor.END_OF_TEXT and any(map(_consumes, parts[index + 1 :])):
            return True
        if part.anchor is Anchor.END and any(map(_consumes_text, parts[index + 1 :])):
            return True
    return False


def _consumes(node: Node) -> bool:
    """Return whether `node` matches at least one character."""
    match node:
        case CharClass() | Verbatim():
            return True
        case Repeat():
            return node.low > 0 and _consumes(node.body)
        case Group():
            return node.opener in ("", "?:", "?>") and _consumes(node.body)
        case Sequence():
            return any(map(_consumes, node.parts))
        case Choice():
            return all(map(_consumes, node.options))
        case _:
            return False


def _consumes_text(node: Node) -> bool:
    """Return whether `node` surely matches a character that is not a line break, judged by its ranges."""
    match node:
        case CharClass():
            plain = not (node.negated or node.properties or node.classes or node.cuts)
            return plain and all(low >= 0x20 and not low <= 0x85 <= high and high < 0x2028 for low, high in node.ranges)
        case Repeat():
            return node.low > 0 and _consumes_text(node.body)
        case Group():
            return node.opener in ("", "?:", "?>") and _consumes_text(node.body)
        case Sequence():
            return any(map(_consumes_text, node.parts))
        case Choice():
            return all(map(_consumes_text, node.options))
        case _:
            return False
