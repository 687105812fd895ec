"""The names that a JSONata expression uses and that neither it nor JSONata defines."""

from collections.abc import Container, Iterator
from typing import Any

from jsonata.parser import Parser

_BACK = frozenset({"_outer_instance", "seeking_parent", "ancestor"})  # of a node of the parser: not parts of it


def find_unknown_name(ast: Any, known: Container[str]) -> tuple[str, int] | None:
    """The first `$name` of the expression `ast` that is not bound in it nor `known`, and its position; or None."""
    nodes = list(_walk(ast))
    bound = {"", "$", *(name for node in nodes for name in _bound(node))}
    for node in nodes:
        name = str(node.value)
        if node.type == "variable" and name not in bound and name not in known:
            return name, int(node.position) - len(name) - 1
    return None


def _bound(node: Any) -> Iterator[str]:
    """Yield the names that `node` gives values to: `$x := …`, `function($x)`, `@$x`, `#$x`."""
    if node.type == "bind":
        yield str(node.lhs.value)
    if node.type == "lambda":
        yield from (str(each.value) for each in node.arguments)
    for place in (getattr(node, "focus", None), getattr(node, "index", None)):
        if isinstance(place, str):
            yield place


def _walk(ast: Any) -> Iterator[Any]:
    """Yield the nodes of the expression, in the order of the text as far as the parser keeps it."""
    seen: set[int] = set()
    pending = [ast]
    while pending:
        part = pending.pop()
        if isinstance(part, list | tuple):
            pending += reversed(part)
        elif isinstance(part, Parser.Symbol) and id(part) not in seen:
            seen.add(id(part))
            yield part
            pending += [each for name, each in reversed(vars(part).items()) if name not in _BACK]
