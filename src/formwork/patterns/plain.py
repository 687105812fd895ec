"""Patterns that Python's own `re` reads as Java does, and is done with in a moment: most of those in real schemas.

`re` has no time limit, and is loaded anyway, while `regex` takes 10 ms to import.
"""

from msgspec import Struct

from formwork.patterns.syntax import (
    Anchor,
    CharClass,
    Choice,
    FlaggedAnchor,
    Flags,
    Group,
    Mode,
    Node,
    Repeat,
    Sequence,
)

MAX_VALUE = 10_000  # characters of a value that a pattern is run on without a time limit, at most
_MAX_WAYS = 1_000
_MAX_STEPS = 200_000  # on a value, where the work grows faster than the value: a few milliseconds
_ANCHORS = frozenset({Anchor.BEGIN, Anchor.START_OF_TEXT, Anchor.END, Anchor.END_OF_TEXT, Anchor.FINAL_LINE})
_STARTS = frozenset({Anchor.BEGIN, Anchor.START_OF_TEXT})


class _Work(Struct, frozen=True):
    """In how many ways a part can match, and how many of its repeats have no upper bound."""

    ways: int
    unbounded: int


def longest_plain(root: Node) -> int:
    """How long a value may be for `re` to run the pattern on it: same meaning in both engines, and done in a moment.

    0 for a pattern that `re` must not run, `MAX_VALUE` for one whose work is in proportion to the value.
    """
    work = _work(root)
    if work is None or work.ways > _MAX_WAYS:
        return 0
    # Every repeat without an upper bound may end anywhere, and a search without an anchor may begin anywhere.
    degree = work.unbounded + (0 if _starts_at_start(root) else 1)
    return MAX_VALUE if degree <= 1 else int((_MAX_STEPS / work.ways) ** (1 / degree))


def _starts_at_start(node: Node) -> bool:
    while isinstance(node, Sequence) and node.parts:
        node = node.parts[0]
    return isinstance(node, FlaggedAnchor) and node.anchor in _STARTS


def _work(node: Node) -> _Work | None:
    """None where a part is not plain."""
    match node:
        case CharClass():
            simple = not (node.properties or node.classes or node.cuts) and Flags.CASE_INSENSITIVE not in node.flags
            return _Work(1, 0) if simple else None
        case FlaggedAnchor():
            simple = node.anchor in _ANCHORS and Flags.MULTILINE not in node.flags
            return _Work(1, 0) if simple else None
        case Group() if node.opener in ("", "?:"):
            return _work(node.body)
        case Repeat():
            return _work_of_repeat(node)
        case Sequence():
            return _together(node.parts, multiply=True)
        case Choice():
            return _together(node.options, multiply=False)
        case _:
            return None


def _work_of_repeat(node: Repeat) -> _Work | None:
    body = _work(node.body)
    if body is None or node.mode is Mode.POSSESSIVE:
        return None
    if body == _Work(1, 0):
        return _Work(1, 1) if node.high is None else _Work(node.high - node.low + 1, 0)
    if (node.low, node.high) == (0, 1):
        return _Work(1 + body.ways, body.unbounded)
    return None


def _together(nodes: tuple[Node, ...], *, multiply: bool) -> _Work | None:
    ways, unbounded = (1 if multiply else 0), 0
    for each in nodes:
        work = _work(each)
        if work is None:
            return None
        ways = ways * work.ways if multiply else ways + work.ways
        unbounded += work.unbounded
        if ways > _MAX_WAYS:
            return None
    return _Work(ways, unbounded)
