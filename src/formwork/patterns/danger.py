"""Patterns that a backtracking engine can take forever over.

The classic shape: a repetition whose body ends and begins with repetitions of the same characters, so that a text can
be cut into turns in exponentially many ways, and something after it that makes the engine try them all.
"""

from formwork.patterns.syntax import (
    MAX_CODE_POINT,
    Anchor,
    BackReference,
    CharClass,
    Choice,
    FlaggedAnchor,
    Group,
    Mode,
    Node,
    Repeat,
    Sequence,
    Verbatim,
)

_MANY = 20  # turns from which on a bounded repetition is as bad as an unbounded one
_ASCII = (1 << 128) - 1
_BEYOND = 1 << 128  # stands for all characters after ASCII


def can_run_away(root: Node) -> bool:
    """Return whether some text makes a backtracking engine take exponentially long."""
    return _look(root, can_fail=False)


def _look(node: Node, *, can_fail: bool) -> bool:
    match node:
        case Sequence():
            tail = can_fail
            for part in reversed(node.parts):
                if _look(part, can_fail=tail):
                    return True
                tail = tail or not _is_nullable(part) or _is_end(part)
            return False
        case Choice():
            return any(_look(each, can_fail=can_fail) for each in node.options)
        case Group():
            inside = node.opener not in ("?=", "?!", "?<=", "?<!") and can_fail
            return node.opener != "?>" and _look(node.body, can_fail=inside)
        case Repeat():
            if _repeats_much(node) and can_fail and _is_ambiguous(node.body):
                return True
            return _look(node.body, can_fail=can_fail)
        case _:
            return False


def _is_ambiguous(body: Node) -> bool:
    """Return whether turns of `body` can share out a text in several ways."""
    options = _options(body)
    singles = [_mask(each[0]) for each in options if len(each) == 1 and isinstance(each[0], CharClass)]
    if any(one & other for index, one in enumerate(singles) for other in singles[index + 1 :]):
        return True
    return any(_has_loose_ends(parts) for parts in options)


def _has_loose_ends(parts: tuple[Node, ...]) -> bool:
    repeats = [index for index, part in enumerate(parts) if isinstance(part, Repeat) and _repeats_much(part)]
    for first in repeats:
        for last in repeats:
            if last < first:
                continue
            shared = _mask(parts[first]) & _mask(parts[last])
            between = (*parts[last + 1 :], *parts[:first])
            if shared and all(_is_nullable(each) or (first == last and _mask(each) & shared) for each in between):
                return True
    return False


def _options(node: Node) -> list[tuple[Node, ...]]:
    while isinstance(node, Group) and node.opener in ("", "?:"):
        node = node.body
    if isinstance(node, Choice):
        return [parts for each in node.options for parts in _options(each)]
    return [node.parts if isinstance(node, Sequence) else (node,)]


def _repeats_much(node: Repeat) -> bool:
    return node.mode is not Mode.POSSESSIVE and (node.high is None or node.high >= _MANY) and node.high != node.low


def _is_end(node: Node) -> bool:
    return isinstance(node, FlaggedAnchor) and node.anchor in (Anchor.END, Anchor.END_OF_TEXT, Anchor.FINAL_LINE)


def _is_nullable(node: Node) -> bool:
    match node:
        case CharClass() | Verbatim():
            return False
        case FlaggedAnchor() | BackReference():
            return True
        case Repeat():
            return node.low == 0 or _is_nullable(node.body)
        case Group():
            return node.opener in ("?=", "?!", "?<=", "?<!") or _is_nullable(node.body)
        case Sequence():
            return all(_is_nullable(each) for each in node.parts)
        case Choice():
            return any(_is_nullable(each) for each in node.options)


def _mask(node: Node) -> int:
    """Return a bit mask of the characters that `node` can match: one bit per ASCII character, one for the rest."""
    match node:
        case CharClass():
            return _class_mask(node)
        case Repeat():
            return _mask(node.body)
        case Group():
            return 0 if node.opener in ("?=", "?!", "?<=", "?<!") else _mask(node.body)
        case Sequence():
            return _union(node.parts)
        case Choice():
            return _union(node.options)
        case FlaggedAnchor():
            return 0
        case BackReference() | Verbatim():
            return _ASCII | _BEYOND


def _union(nodes: tuple[Node, ...]) -> int:
    mask = 0
    for each in nodes:
        mask |= _mask(each)
    return mask


def _class_mask(node: CharClass) -> int:
    mask = (_ASCII | _BEYOND) if node.properties else 0
    for low, high in node.ranges:
        if low < 128:
            mask |= (1 << (min(high, 127) + 1)) - (1 << low)
        if high >= 128:
            mask |= _BEYOND
    for inner in node.classes:
        mask |= _class_mask(inner)
    for cut in node.cuts:
        mask &= _class_mask(cut)
    if not node.negated:
        return mask
    everything = any(low <= 128 and high == MAX_CODE_POINT for low, high in node.ranges)
    return (_ASCII & ~mask) | (0 if everything else _BEYOND)
