"""How large a pattern becomes where an engine writes counted repetitions out: `((a{999}){999}){999}` is a billion."""

from formwork.patterns.syntax import Choice, Group, Node, Repeat, Sequence

# `regex` compiles as many in 0.3 s and 100 MB; each further factor of ten costs the same factor.
MAX_EXPANDED = 200_000


def expanded_size(node: Node) -> int:
    """The number of characters, classes and places in `node`, each repetition written out as often as it must be."""
    match node:
        case Repeat():
            return expanded_size(node.body) * max(node.low, 1)
        case Group():
            return expanded_size(node.body)
        case Sequence():
            return sum(map(expanded_size, node.parts))
        case Choice():
            return sum(map(expanded_size, node.options))
        case _:
            return 1
